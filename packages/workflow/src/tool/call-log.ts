import type { Files } from '@cuebook/files';
import type { PlannedWrite } from '../state/file.js';
import type { WorkflowToolResult } from './result.js';

/** What is known of a call that changes files: what it was about to write, and its result once it has one. */
export interface CallRecord {
  readonly planned: PlannedWrite;
  readonly result?: WorkflowToolResult;
}

/**
 * Notes about calls that change files, kept beside the logs. A note is on the disk before the change: whoever comes
 * after a crash compares the hashes with what is there, and does nothing twice.
 */
export interface CallLog {
  read(call: string): Promise<CallRecord | undefined>;
  /** False when the note could not be kept. */
  write(call: string, record: CallRecord): Promise<boolean>;
  /** The run has the result: the note is of no more use. */
  forget(call: string): Promise<void>;
}

/** In bytes. A result is bounded, and so is its note. */
const MAX_NOTE = 1024 * 1024;

export function openCallLog(keeper: Files): CallLog {
  const at = (call: string): string => `logs/calls/${call.replace(/[^\w-]/g, '-')}.json`;
  return {
    async read(call) {
      const found = await keeper.readText(at(call), { limit: MAX_NOTE });
      return found.ok ? (JSON.parse(found.value) as CallRecord) : undefined;
    },
    write: async (call, record) =>
      (await keeper.writeText(at(call), JSON.stringify(record), { mode: 0o600 })).ok,
    async forget(call) {
      await keeper.remove(at(call));
    },
  };
}
