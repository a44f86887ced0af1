import type { RunId } from '@cuebook/journal';
import type { Call } from '../../command.js';
import type { Journal } from '../../record/journal.js';
import type { AgentCall } from './target.js';

/** A thread as a command shows it. */
export interface ShownThread {
  readonly call: Call;
  readonly wanted: Pick<AgentCall, 'target' | 'bench' | 'definition'>;
  readonly journal: Journal;
  readonly run: RunId;
  /** What was shown, so that it is not shown again. */
  readonly cursor: { seq: number };
}
