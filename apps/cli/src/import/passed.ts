import { type AdoptDiagnostic, type FormatReader, READERS } from '@cuebook/adopt';
import type { FileError, Files, SkippedEntry } from '@cuebook/files';
import { guard } from '@cuebook/guard';

/** What a look for prompts has found, and what it has not looked at. */
export interface LookedAt {
  readonly found: readonly { readonly path: string }[];
  readonly skipped: readonly SkippedEntry[];
  readonly errors: readonly FileError[];
  /** Where the folder lies: what a file is may depend on it. */
  readonly prefix: string;
}

/** Folders of tools: what they hold is what an import is about. */
const TOOL_FOLDER = /(?:^|\/)\.(?:claude|github|gemini|cursor|agents|opencode)(?:\/|$)/;

/**
 * What was not looked at and could hold prompts: links with the name of an importable file, links and strange names in
 * the folders of tools, folders that cannot be read. A link to what is imported anyway loses nothing.
 */
export async function passedOver(files: Files, looked: LookedAt): Promise<readonly AdoptDiagnostic[]> {
  const { found, skipped, errors, prefix } = looked;
  const isTools = (path: string): boolean => TOOL_FOLDER.test(`${prefix}${path}`);
  const links = skipped.filter((each) => 'kind' in each && each.kind === 'symlink');
  const told = links.filter(({ path }) =>
    guard('import.passed', isTools(path) || readerByName(`${prefix}${path}`) !== undefined),
  );
  const known = told.length === 0 ? new Map<string, string>() : await identitiesOf(files, found);
  const diagnostics: AdoptDiagnostic[] = [];
  for (const { path } of told) diagnostics.push(...(await linkLines(files, path, prefix, known)));
  for (const each of skipped)
    if ('unaddressable' in each && isTools(each.path))
      diagnostics.push(
        line(
          'warning',
          `${prefix}${each.path}`,
          `${each.unaddressable === 1 ? 'A name' : `${each.unaddressable} names`} in this folder cannot be spelled in a path (control characters, backslashes, or not Unicode); the files were not read`,
        ),
      );
  for (const error of errors)
    diagnostics.push(
      error.code === 'E_FILE_TOO_LARGE'
        ? line(
            'warning',
            prefix || '.',
            `Of the files of this folder the first ${error.limit} were looked at`,
          )
        : line('warning', `${prefix}${error.path}`, `This folder was not looked at (${error.code})`),
    );
  return diagnostics;
}

const line = (severity: AdoptDiagnostic['severity'], file: string, message: string): AdoptDiagnostic => ({
  ...{ code: 'W_IMPORT_PASSED', severity },
  ...{ file, message },
});

/** The reader of what has such a path. */
export const readerByName = (path: string): FormatReader | undefined =>
  READERS.find(({ detect }) => detect(path, ''));

/** Which file of those that are imported is at an identity. */
async function identitiesOf(files: Files, found: LookedAt['found']): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const { path } of found) {
    const stat = await files.stat(path);
    if (stat.ok) known.set(stat.value.identity, path);
  }
  return known;
}

/** What is lost of a link: nothing, when each importable file behind it is imported from its own place. */
async function linkLines(
  files: Files,
  path: string,
  prefix: string,
  known: ReadonlyMap<string, string>,
): Promise<readonly AdoptDiagnostic[]> {
  const file = `${prefix}${path}`;
  const stat = await files.stat(path);
  if (!stat.ok)
    return [line('warning', file, 'This link leads out of the folder or to nothing; nothing was read')];
  const isFolder = stat.value.kind === 'directory';
  if (!isFolder && readerByName(file) === undefined) return [];
  const own = known.get(stat.value.identity);
  if (own !== undefined)
    return [line('info', file, `A link to ${prefix}${own}, which is read in its own place`)];
  const behind = isFolder ? await importableBelow(files, path, prefix) : undefined;
  if (behind?.length === 0) return [];
  return behind?.every((identity) => known.has(identity)) === true
    ? [line('info', file, 'A link to a folder whose files are read in their own place')]
    : [line('warning', file, 'Links are not followed: name this one to import what it leads to')];
}

/** The identities of the importable files behind a link to a folder. What cannot be told is none that is known. */
async function importableBelow(files: Files, folder: string, prefix: string): Promise<readonly string[]> {
  const identities: string[] = [];
  for await (const walked of files.walk(folder)) {
    if (walked.ok && readerByName(`${prefix}${walked.value}`) === undefined) continue;
    const stat = walked.ok ? await files.stat(walked.value) : walked;
    identities.push(stat.ok ? stat.value.identity : '');
  }
  return identities;
}
