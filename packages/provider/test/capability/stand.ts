import type { ProviderCapabilities, Session, SessionOptions } from '../../src/turn.js';
import type { Played } from '../play.js';

/** What a model is to do in one turn of a probe. */
export type Act =
  | { readonly kind: 'say'; readonly text: string }
  /** Says this and then nothing more, without an end. */
  | { readonly kind: 'hang'; readonly text: string }
  /** Uses the agent's own tool to write a file. */
  | { readonly kind: 'write'; readonly file: string }
  /** Calls our tool `spawn_node`. */
  | { readonly kind: 'tool' };

/** One provider of the catalog, ready to be probed. */
export interface Stand {
  readonly name: string;
  /** What the matrix says. */
  readonly row: ProviderCapabilities;
  /** What is said to it so that it does this; most do what their model's script says, whatever the words. */
  readonly words: (act: Act, more?: string) => string;
  /** A lane that plays these acts, one a turn. */
  readonly begin: (acts: readonly Act[]) => Begun;
}

export interface Begun {
  readonly enter: (options: Partial<SessionOptions>) => Session;
  /** Whether the last turn knew of the heron that an earlier one was told of. */
  readonly knew: (last: Played) => boolean;
  readonly isMade: (file: string) => boolean;
  /** Between the end of one process and the start of the next. */
  readonly between?: () => void;
}
