import { createHash } from 'node:crypto';
import { findRegion, findUnmarked, isUntouched, type OutputFile, printRegion } from '@cuebook/adopt';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { requireFile } from '../project/named-file.js';
import type { ExportEntry } from './lock.js';

/** What becomes of an exported file. `edited`: it holds something that export did not write. */
export interface PlannedExport {
  readonly path: string;
  readonly target: string;
  readonly format: string;
  readonly set: Readonly<Record<string, string>>;
  readonly state: 'new' | 'same' | 'changed' | 'gone' | 'remove';
  readonly isEdited: boolean;
  /** Whether what the source gives is other than what was exported last. */
  readonly isSourceChanged: boolean;
  /** Whether the words stood in the file already, and are only marked as ours. */
  readonly isMarked: boolean;
  /** Whether the same words stand in the file a second time, outside of the region. */
  readonly isDouble: boolean;
  /** Whether the file is as the sheet was imported from it: nothing in it is newer than the sheet. */
  readonly isSource: boolean;
  /** The whole file as it will be; undefined: the file goes. */
  readonly text: string | undefined;
  readonly before: string | undefined;
  readonly sha256: string;
}

export interface Wanted {
  readonly target: string;
  readonly format: string;
  readonly set: Readonly<Record<string, string>>;
  /** Undefined when the target is gone: what was exported goes, too. */
  readonly file: OutputFile | undefined;
  readonly entry: ExportEntry | undefined;
  /** The file that the target was imported from, where that holds this prompt and nothing else. */
  readonly source?: { readonly path: string; readonly sha256: string } | undefined;
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares the source, what was exported last, and what is there: one function for writing and for checking. */
export async function planExport(
  files: Files,
  { target, format, set, file, entry, source }: Wanted,
): Promise<PlannedExport> {
  const path = file?.path ?? entry?.path ?? '';
  const read = await files.readText(path);
  if (!read.ok && read.error.code !== 'E_FILE_NOT_FOUND') requireFile(read, path);
  const before = read.ok ? read.value : undefined;
  const region = before === undefined ? undefined : findRegion(before, target);
  const isRegion = file === undefined ? region !== undefined : file.kind === 'region';
  const held = isRegion ? region?.body : before;
  const body = file === undefined ? undefined : isRegion ? endedBody(file.text) : file.text;
  const isKnown =
    held === undefined ||
    (isRegion ? region !== undefined && isUntouched(region) : entry?.sha256 === sha256Of(held));
  const unmarked =
    isRegion && body !== undefined && before !== undefined ? findUnmarked(before, body) : undefined;
  // The region was exported, and a person changed the lines that mark it or took it out: it is not written a second time.
  const isUnmarked =
    isRegion &&
    body !== undefined &&
    entry !== undefined &&
    before !== undefined &&
    region === undefined &&
    unmarked === undefined;
  const isSource =
    entry === undefined &&
    before !== undefined &&
    region === undefined &&
    unmarked === undefined &&
    held !== body &&
    source?.path === path &&
    source.sha256 === sha256Of(before);
  const isEdited = guard('export.edited', !isSource && ((!isKnown && held !== body) || isUnmarked));
  const place = region ?? unmarked;
  const text =
    file === undefined
      ? without(before, region)
      : isRegion
        ? withRegion(isSource ? undefined : before, place, target, file.text)
        : file.text;
  return {
    path,
    target,
    format,
    set,
    state: isSource ? 'changed' : stateOf({ held, body, before, isExported: entry !== undefined }),
    isEdited,
    isSourceChanged: entry !== undefined && body !== undefined && sha256Of(body) !== entry.sha256,
    isMarked: region === undefined && unmarked !== undefined,
    isSource,
    isDouble: region !== undefined && unmarked !== undefined,
    text,
    before,
    sha256: sha256Of(body ?? ''),
  };
}

const endedBody = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function stateOf({
  held,
  body,
  before,
  isExported,
}: {
  held: string | undefined;
  body: string | undefined;
  before: string | undefined;
  isExported: boolean;
}): PlannedExport['state'] {
  if (body === undefined) return held === undefined ? 'same' : 'remove';
  if (held === body) return 'same';
  if (held !== undefined) return 'changed';
  return isExported && before === undefined ? 'gone' : 'new';
}

function withRegion(
  before: string | undefined,
  region: { readonly start: number; readonly end: number } | undefined,
  target: string,
  text: string,
): string {
  const printed = printRegion(target, text);
  if (before === undefined) return printed;
  if (region !== undefined) return before.slice(0, region.start) + printed + before.slice(region.end);
  const seam = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${seam}${printed}`;
}

/** The file without our region; undefined when nothing else is in it. */
function without(
  before: string | undefined,
  region: { readonly start: number; readonly end: number } | undefined,
): string | undefined {
  if (before === undefined || region === undefined) return undefined;
  const rest = before.slice(0, region.start) + before.slice(region.end);
  return rest.trim() === '' ? undefined : rest;
}
