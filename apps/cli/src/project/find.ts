import { basename, dirname, resolve } from 'node:path';
import type { Files } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { type Flags, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { namedPath, requireFile } from './named-file.js';

/** The project folder: the one named, or the nearest from `cwd` upwards that holds a project. */
export async function findProject(cwd: string, named: string | undefined): Promise<string> {
  if (named === undefined) return nearestProject(cwd, cwd);
  const { disk, path, full } = await namedPath(cwd, named);
  const { kind } = requireFile(await disk.stat(path), named);
  if (kind !== 'directory') {
    throw new Failure('E_NOT_A_DIRECTORY', `--project ${named} is not a folder`);
  }
  if (await isProject(disk, path)) return full;
  throw new Failure('E_NO_PROJECT', `No ${MARKS} in ${named}. Start a project there with ${hint`init`}.`);
}

/** The nearest folder with a project, from `start` upwards. `named` is what the message calls it. */
export async function nearestProject(start: string, cwd: string): Promise<string> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const { disk, path } = await namedPath(cwd, folder);
    if (await isProject(disk, path)) return folder;
    if (dirname(folder) === folder) break;
  }
  throw new Failure(
    'E_NO_PROJECT',
    `No ${MARKS} in this folder or above it. Name a project with --project DIR, start one with ${hint`init`}, or bring in the prompts that are here with ${hint`import`}.`,
  );
}

const MARKS = '`cuebook.yaml`, `sheets/` or `agents/`';

async function isProject(disk: Files, folder: string): Promise<boolean> {
  const config = await disk.stat(`${folder}/cuebook.yaml`);
  if (config.ok) return true;
  if (await isFolder(disk, `${folder}/sheets`)) return true;
  if (!(await isFolder(disk, `${folder}/agents`))) return false;
  // `agents/` of a project holds an `agents/` of its own, which does not make it a project.
  return basename(folder) !== 'agents' || (await hasDefinitions(disk, `${folder}/agents`));
}

const KIND_FOLDERS = ['models', 'prompts', 'tools', 'hooks', 'agents'];

async function hasDefinitions(disk: Files, folder: string): Promise<boolean> {
  for (const name of KIND_FOLDERS) if (await isFolder(disk, `${folder}/${name}`)) return true;
  return false;
}

async function isFolder(disk: Files, path: string): Promise<boolean> {
  const found = await disk.stat(path);
  return found.ok && found.value.kind === 'directory';
}

/** The project around the call, or this folder when there is none. */
export async function projectOrHere(flags: Flags, io: Io): Promise<string> {
  const project = flagValue(flags, 'project');
  try {
    return await findProject(io.cwd, project);
  } catch (error) {
    if (project === undefined && error instanceof Failure && error.code === 'E_NO_PROJECT') return io.cwd;
    throw error;
  }
}
