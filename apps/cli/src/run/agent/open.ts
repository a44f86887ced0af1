import { pathToFileURL } from 'node:url';
import type { RunId } from '@cuebook/journal';
import { openRunProject, type RunProject } from '@cuebook/thread';
import { Failure } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import type { Journal } from '../../record/journal.js';

/** The definitions of a thread: those of its beginning, once it has begun. */
export async function requireProject(
  run: RunId,
  { project, folder }: Bench,
  { store }: Journal,
): Promise<RunProject> {
  const place = pathToFileURL(`${folder}/`).href;
  const opened = await openRunProject({ run, store, project, folder: place });
  if (opened.ok) return opened.value;
  throw new Failure(opened.error.code, opened.error.message, { exit: 3 });
}
