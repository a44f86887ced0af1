import type { ToolFiles } from '../mount/tool-files.js';
import type { ToolPolicy } from '../policy/policy.js';
import { STATE_PATH } from '../state/document.js';
import type { BeforeWrite, StateFile } from '../state/file.js';
import { fromFileError, type WorkflowToolResult } from './result.js';

/** What a tool works with. */
export interface ToolContext {
  readonly files: ToolFiles;
  readonly policy: ToolPolicy;
  /** Left out in a conversation without a run. */
  readonly state?: StateFile | undefined;
  /** Heard right before a file is written; false: it is not written. */
  readonly beforeWrite?: BeforeWrite | undefined;
}

/** Runs programs for agents whose policy says so. Nothing rejects. */
export interface ProgramRunner {
  run(args: unknown, signal: AbortSignal): Promise<WorkflowToolResult>;
}

/** A path in its one spelling, or the refusal. */
export type ToolPath =
  | { readonly ok: true; readonly path: string; readonly isState: boolean }
  | { readonly ok: false; readonly result: WorkflowToolResult };

/** The one spelling of a path. What no tool may reach, the mounts withhold. */
export async function toolPath({ files }: ToolContext, given: string): Promise<ToolPath> {
  const clean = files.clean(given);
  if (!clean.ok) return { ok: false, result: fromFileError(clean.error) };
  const path = clean.value;
  return { ok: true, path, isState: await isStateFile(files, path) };
}

/** By name, in any letter case, and by identity: a second name for the file is the file. */
async function isStateFile(files: ToolFiles, path: string): Promise<boolean> {
  if (!path.startsWith('@state/')) return false;
  if (path.normalize('NFC').toLowerCase() === STATE_PATH) return true;
  const [own, other] = await Promise.all([files.stat(STATE_PATH), files.stat(path)]);
  return own.ok && other.ok && own.value.identity === other.value.identity;
}
