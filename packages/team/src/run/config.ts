import type { CrashPolicy, Expected } from '@cuebook/engine';
import type { TeamNode } from '../graph/node.js';
import type { TeamState } from './state.js';

/** What a team machine must know of the providers. Its functions are pure. */
export interface TeamConfig {
  /** Whether a provider keeps a session from turn to turn. */
  readonly resumes: (provider: string) => boolean;
  /** Whether its agents use their own tools for files and commands. */
  readonly nativeTools: (provider: string) => boolean;
  /** Whether its agents are programs that act by themselves. Left out: no. */
  readonly acts?: (provider: string) => boolean;
  /** Whether its agents cannot be given other arguments: they are told them, and ask for them. Left out: no. */
  readonly retells?: (provider: string) => boolean;
  /** What a turn of a node will cost at least. Left out: nothing is known but that it is a turn. */
  readonly expect?: (state: TeamState, node: TeamNode) => Expected;
  /** What becomes of a turn that was begun and has no outcome. Left out: a person is asked. */
  readonly onTurnCrash?: (node: TeamNode) => CrashPolicy;
  /** How long a person has to answer an approval; left out: for ever. */
  readonly approvalMs?: number;
}
