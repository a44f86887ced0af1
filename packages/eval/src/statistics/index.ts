export type { Interval } from './estimate.js';
export { normalQuantile, tFromZ, zFromT } from './normal.js';
