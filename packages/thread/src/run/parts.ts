import type { DecideContext } from '@cuebook/engine';
import type { ThreadConfig } from './config.js';

/** What a decision looks at beside the state. */
export interface Parts {
  readonly config: ThreadConfig;
  readonly context: DecideContext;
}
