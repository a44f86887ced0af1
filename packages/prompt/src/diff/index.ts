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
export { type OriginChange, originName } from './origins.js';
export type { ValueChange } from './values.js';
