// What composing a scenario takes, apart from what trust takes: commands that only look start faster.
export { BUNDLE_CODES } from './codes.js';
export { scenarioProfile } from './profile.js';
