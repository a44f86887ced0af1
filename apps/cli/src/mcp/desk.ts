import type { LiveProject } from '@cuebook/define';
import type { RunVoices } from '@cuebook/host';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import type { ServerVariables } from './variables.js';

/** Everything that answering a client needs. */
export interface McpDesk {
  readonly live: LiveProject;
  readonly bench: Bench;
  readonly variables: ServerVariables;
  /** Who speaks; chosen when a model is first needed. */
  readonly voices: () => Promise<RunVoices>;
  readonly call: Call;
}

/** Text of a tool or a model as a client may be told it: without secrets and private things. */
export const toClient = ({ variables, bench }: McpDesk, text: string): string =>
  variables.mask(bench.redactor.redactText(text).text);
