export {
  type Change,
  type DiffSide,
  diffPrompts,
  findReach,
  type OrderChange,
  type PromptDiff,
  type Reach,
  type ReachTarget,
} from './diff.js';
export { findObligations, type Obligation } from './obligations.js';
export { type OriginChange, originName } from './origins.js';
export type { ValueChange } from './values.js';
