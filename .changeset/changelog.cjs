// A changelog says what users notice: all packages have one version, so the versions of their parts are no news.
const { default: plain } = require('@changesets/cli/changelog');

module.exports = {
  getReleaseLine: plain.getReleaseLine,
  getDependencyReleaseLine: async () => '',
};
