// JSON that every parser reads alike, for whoever needs nothing else of this package.
export { readJson } from './json/read.js';
export type { JsonProblem } from './json/scan.js';
