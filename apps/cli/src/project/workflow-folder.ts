import { type Flags, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { projectOrHere } from './find.js';
import { namedPath, requireFile } from './named-file.js';

/** Whether a target is a workflow: its package may lie anywhere, and any folder can be worked on. */
export const isWorkflow = (text: string): boolean => text.startsWith('workflow:');

/** The folder that a workflow works on: the one named, whatever it holds, or the project around, or this one. */
export async function workflowFolder(flags: Flags, io: Io): Promise<string> {
  const named = flagValue(flags, 'project');
  if (named === undefined) return projectOrHere(flags, io);
  const { disk, path, full } = await namedPath(io.cwd, named);
  const { kind } = requireFile(await disk.stat(path), named);
  if (kind === 'directory') return full;
  throw new Failure('E_NOT_A_DIRECTORY', `--project ${named} is not a folder`);
}
