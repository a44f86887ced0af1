import type { RunDocument } from '../run/document.js';
import type { AskOptions, PromptCall } from './prompt.js';

export interface StartOptions extends PromptCall, Omit<AskOptions, 'schema'> {
  /** What a person says: to an agent or a workflow, or the goal of a team. */
  readonly input?: string;
  /** What else the kind of run takes, by name. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Words as they come. */
  readonly onText?: (text: string) => void;
}

/**
 * Runs a target of a project, `agent:NAME`, `workflow:DIR`, `team:FILE` or any other kind, until it stands still: done,
 * failed, or waiting for a person. It runs at the server of the project where one is up, and otherwise in this process.
 * The run is on record, and goes on where it was after a crash.
 */
export async function start(target: string, call: StartOptions = {}): Promise<RunDocument> {
  // The server and the store are loaded when something is run.
  const { startRun } = await import('./start-run.js');
  return startRun(target, call);
}
