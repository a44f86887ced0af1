// What composing a scenario takes, apart from what trust takes: commands that only look start faster.
export { type LibraryVersions, scenarioProfile, scenarioProfileOf } from './profile.js';
