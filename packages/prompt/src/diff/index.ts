export type { BlockChange, LabelChange } from './blocks.js';
export {
  type Change,
  diffPrompts,
  findReach,
  type OrderChange,
  type PromptDiff,
  type Reach,
  type ReachTarget,
  type Subject,
} from './diff.js';
export { findObligations, type Obligation } from './obligations.js';
export { type OriginChange, originName } from './origins.js';
export type { ValueChange } from './values.js';
