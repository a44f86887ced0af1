import type { Access } from '../turn.js';

/** An agent to start, and how it wants to be spoken to. */
export interface AcpOptions {
  readonly name: string;
  readonly command: string;
  /** Which of the known agents this is; left out: known by the name of its program. */
  readonly agent?: string;
  readonly args?: readonly string[];
  /** Set for the agent, on top of what `allow` lets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of our environment that the agent may see beside the common ones: its own key, its gateway. */
  readonly allow?: readonly string[];
  /** The agent's flag for a model, such as `-m`; without it the model is chosen over the protocol. */
  readonly modelFlag?: string;
  /** Which of the agent's modes to use; without one for `plan` a mode that reads so is looked for. */
  readonly modes?: Partial<Readonly<Record<Access, string>>>;
  /** How to sign in when the agent asks for it, by the id that the agent gives the method. */
  readonly authMethod?: string;
  /** What the agent's token counts are of; most count the turn, some the whole session. */
  readonly usage?: 'turn' | 'session';
  /** For tests. */
  readonly parentEnv?: Readonly<Record<string, string | undefined>>;
}
