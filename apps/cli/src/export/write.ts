import { basename, resolve } from 'node:path';
import { findRegion } from '@cuebook/adopt';
import { type Files, openFolder } from '@cuebook/files';
import { Failure } from '../failure.js';
import { makeFolders } from '../import/write.js';
import { requireFile } from '../project/named-file.js';
import type { ExportEntry } from './lock.js';
import { type PlannedExport, planExport, sha256Of } from './plan.js';

/** Where exports are written, and where what they replace is kept. */
export interface ExportPlace {
  readonly files: Files;
  /** CUEBOOK_HOME. */
  readonly home: string;
  readonly entries: readonly ExportEntry[];
}

/** Writes one file. What a person wrote is kept under CUEBOOK_HOME before it is replaced; answers where. */
export async function writeExport(
  { files, home, entries }: ExportPlace,
  planned: PlannedExport,
): Promise<readonly string[]> {
  if (planned.state === 'same') return [];
  const isReplaced = planned.isEdited || planned.isSource;
  const kept = isReplaced && planned.before !== undefined ? [await keepOld(home, planned.before)] : [];
  const now = await files.readText(planned.path);
  const isMoved = (now.ok ? now.value : undefined) !== planned.before;
  const again = isMoved ? await replanned(files, planned, entries) : planned.text;
  const ifMatch = now.ok ? sha256Of(now.value) : 'absent';
  if (again === undefined) requireFile(await files.remove(planned.path, { ifMatch }), planned.path);
  else {
    await makeFolders(files, planned.path);
    requireFile(await files.writeText(planned.path, again, { ifMatch }), planned.path);
  }
  return kept;
}

/** The file changed since it was planned: by the region before this one. */
async function replanned(
  files: Files,
  planned: PlannedExport,
  entries: readonly ExportEntry[],
): Promise<string | undefined> {
  const region = planned.text === undefined ? undefined : findRegion(planned.text, planned.target);
  const changed = new Failure('E_FILE_CHANGED', `${planned.path} changed while it was exported`, { exit: 1 });
  if (region === undefined) throw changed;
  const file = { path: planned.path, text: region.body, kind: 'region' as const };
  const entry = entries.find((each) => each.path === planned.path && each.target === planned.target);
  const again = await planExport(files, { ...planned, file, entry });
  // What a person wrote in the meantime was never shown to anybody.
  if (again.isEdited) throw changed;
  return again.text;
}

/** Keeps a text under CUEBOOK_HOME by its hash; answers where. */
async function keepOld(home: string, text: string): Promise<string> {
  const name = `replaced/${sha256Of(text)}.txt`;
  const folder = basename(resolve(home));
  const opened = requireFile(await openFolder(home, { create: 'ignored' }), 'CUEBOOK_HOME');
  requireFile(await opened.makeDirectory('replaced'), folder);
  requireFile(await opened.writeText(name, text, { mode: 0o600 }), name);
  return `${folder}/${name}`;
}

/** The list with what was planned: a target that is gone leaves it. */
export function mergedEntries(
  entries: readonly ExportEntry[],
  planned: readonly PlannedExport[],
): readonly ExportEntry[] {
  const isOf = (entry: ExportEntry) =>
    planned.some((each) => each.path === entry.path && each.target === entry.target);
  const fresh = planned
    .filter(({ state, text }) => state !== 'remove' && text !== undefined)
    .map(({ target, format, path, set, sha256 }) => ({
      target,
      format,
      path,
      ...(Object.keys(set).length === 0 ? {} : { set }),
      sha256,
    }));
  return [...entries.filter((entry) => !isOf(entry)), ...fresh];
}
