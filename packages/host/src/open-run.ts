import type { Diagnostic, JsonValue, Result } from '@cuebook/prompt';
import type { HostError, StartCall } from './contract.js';
import type { Word } from './word.js';

/** A run that this process has opened. */
export interface OpenRun {
  readonly diagnostics?: readonly Diagnostic[];
  /** Begins it: what is said first, and its budget. The same id again answers the same. */
  begin(call: StartCall, id: string): Promise<Result<JsonValue, HostError>>;
  /** Writes a word to the log. It may be called by a process that does not do the work. */
  tell(
    word: Exclude<Word, { readonly type: 'go-on' }>,
    said: { readonly id: string; readonly by: string },
  ): Promise<Result<JsonValue, HostError>>;
  /** Takes up the work; false while another process has it. */
  take(): Promise<boolean>;
  /** Resolves when nothing is in flight: the run is over, or waits for somebody. */
  drain(): Promise<void>;
  /** Whether the run was moved to other sources since it was opened: its next turn is for who opens it again. */
  isMoved?(): Promise<boolean>;
  /** The second time it is the first one's end. */
  close(options: { readonly running: 'await' | 'abort' }): Promise<void>;
}
