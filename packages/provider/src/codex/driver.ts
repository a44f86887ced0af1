import type { LateStart } from '../agent/late-start.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { TurnEnd } from '../turn.js';

export type CodexEnding = Omit<TurnEnd, 'type'>;

/** One way to run turns of one Codex session. */
export interface CodexDriver {
  /** `unavailable`: this Codex does not know the way, and nothing of the prompt was said. */
  speak(turn: LiveTurn, announce: (details: LateStart) => void): Promise<CodexEnding | 'unavailable'>;
  /** Ends every process of it. Safe to call twice. */
  close(): Promise<void>;
}

/** What the ways share: Codex's name of the conversation, once it has one that can be gone on with. */
export interface ThreadMemory {
  id: string | undefined;
}
