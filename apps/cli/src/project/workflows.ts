import { describeArchiveError, type Files, openFolder, type TextSource, zipSource } from '@cuebook/files';
import { CONFIG_FILE, parseTarget } from '@cuebook/profile';
import {
  createWorkflowProfile,
  NO_SETTINGS,
  readWorkflowSettings,
  type WorkflowSettings,
} from '@cuebook/workflow/profiles';
import { type Flags, flagValue } from '../command.js';
import { diagnosed, Failure } from '../failure.js';
import type { Io } from '../io.js';
import type { Bench } from './bench.js';
import { manifestFolder } from './manifests.js';
import { namedPath, requireFile } from './named-file.js';

/** Whether a target is a workflow: its package may lie anywhere, and any folder can be worked on. */
export const isWorkflow = (text: string): boolean => text.startsWith('workflow:');

/** The folder that a workflow works on: the one named, whatever it holds, or the project around, or this one. */
export async function workflowFolder(flags: Flags, io: Io): Promise<string> {
  const named = flagValue(flags, 'project');
  if (named === undefined) return manifestFolder(flags, io);
  const { disk, path, full } = await namedPath(io.cwd, named);
  const { kind } = requireFile(await disk.stat(path), named);
  if (kind === 'directory') return full;
  throw new Failure('E_NOT_A_DIRECTORY', `--project ${named} is not a folder`);
}

/**
 * The bench to compose a workflow on, and the target there. A package of the project is named from the project's
 * top; any other, folder or zip archive, from where the call was made, and becomes the source itself.
 */
export async function workflowBench(
  bench: Bench,
  text: string,
  io: Io,
): Promise<{ readonly bench: Bench; readonly text: string }> {
  const { tools } = await requireWorkflowSettings(bench.files);
  const profile = createWorkflowProfile({ redactor: bench.redactor, settings: tools });
  const profiles = bench.profiles.map((each) => (each.prefix === 'workflow' ? profile : each));
  const target = parseTarget(text);
  const here = { bench: { ...bench, profiles }, text };
  if (target === undefined || target.revision !== undefined) return here;
  const [named = '', id] = target.name.split('#');
  const inside = await bench.files.stat(named);
  if (inside.ok && inside.value.kind === 'directory') return here;
  const project = await openPackage(named, inside.ok ? bench.folder : io.cwd);
  if (project === undefined) return here;
  return {
    bench: { ...bench, profiles, project },
    text: id === undefined ? 'workflow:.' : `workflow:.#${id}`,
  };
}

/** What the project's configuration says about workflow runs. */
export async function requireWorkflowSettings(files: Files): Promise<WorkflowSettings> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') return NO_SETTINGS;
  const read = readWorkflowSettings(requireFile(text, CONFIG_FILE), CONFIG_FILE);
  if (!read.ok) throw diagnosed(read.error);
  return read.value;
}

/** A folder or an archive by name; undefined when there is neither. */
async function openPackage(named: string, from: string): Promise<TextSource | undefined> {
  const { disk, path, full } = await namedPath(from, named);
  const found = await disk.stat(path);
  if (!found.ok) return undefined;
  if (found.value.kind === 'directory') {
    const options = { access: 'ro', withhold: { from: 'agent' } } as const;
    return requireFile(await openFolder(full, options), named);
  }
  const zip = await zipSource(requireFile(await disk.readBytes(path), named));
  if (zip.ok) return zip.value;
  throw new Failure(zip.error.code, `${named}: ${describeArchiveError(zip.error)}`, { exit: 1 });
}
