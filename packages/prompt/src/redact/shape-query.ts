import type { Shadow } from './shadow.js';

/** Where the scan stands and how strict it is. */
export interface ShapeQuery {
  readonly shadow: Shadow;
  /** The place of a separator in the shadow. */
  readonly at: number;
  /** In structured values more folders count, because a string that looks like a path is one. */
  readonly inValue: boolean;
}
