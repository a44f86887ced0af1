import { kindByName, memorySource, type TextSource } from '@cuebook/files';
import type { RunSources } from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { ToolSettings } from '../policy/policy.js';

/** A package as it is when a run of it begins, and what the operator allows then. Plain JSON. */
export type KeptPackage = {
  /** Where it lies in its source, in the one spelling: `.` for the source itself. */
  readonly folder: string;
  /** Every file of it, by its path in the source. */
  readonly files: readonly (readonly [path: string, base64: string])[];
  readonly tools: ToolSettings;
  /** The hash that a person accepted it by; left out for the project's own. */
  readonly accepted?: string;
};

/** The same as every run keeps what it is told from: texts as they are, other files and what is withheld beside them. */
export function sourcesOf({ files, ...about }: KeptPackage): RunSources {
  const texts: (readonly [string, string])[] = [];
  const bytes: (readonly [string, string])[] = [];
  for (const [path, base64] of files) {
    const text = Buffer.from(base64, 'base64').toString();
    const isText = Buffer.from(text).toString('base64') === base64 && !text.startsWith('\uFEFF');
    if (isText && !isWithheld(path)) texts.push([path, text]);
    else bytes.push([path, base64]);
  }
  return { files: Object.fromEntries(texts), about: asJson({ ...about, bytes }) };
}

/** A package from what its run has kept. */
export function keptOf({ files, about }: RunSources): KeptPackage {
  const { bytes, ...rest } = about as unknown as Omit<KeptPackage, 'files'> & {
    readonly bytes: KeptPackage['files'];
  };
  const texts = Object.entries(files).map(
    ([path, text]) => [path, Buffer.from(text).toString('base64')] as const,
  );
  return { ...rest, files: [...texts, ...bytes] };
}

const isWithheld = (path: string): boolean => {
  const names = path.split('/');
  return names.some((name, at) => kindByName(name, names[at - 1]) !== undefined);
};

type About = Pick<KeptPackage, 'tools' | 'accepted'>;

/** Reads every file of a package. What cannot be read, or has no name that a path can spell, is none of it. */
export async function takePackage(
  source: TextSource,
  named: string,
  about: About,
): Promise<Result<KeptPackage, { readonly code: string; readonly message: string }>> {
  const clean = source.clean(named === '' ? '.' : named);
  const folder = clean.ok ? clean.value : named;
  const files: (readonly [string, string])[] = [];
  let room = MAX_BYTES;
  for await (const path of source.walk(folder, { ignore: NOT_OF_IT })) {
    const bytes = path.ok ? await source.readBytes(path.value) : path;
    if (!path.ok || !bytes.ok || !memorySource({ [path.value]: '' }).ok) continue;
    room -= bytes.value.length + path.value.length;
    if (room < 0) return fail(TOO_LARGE);
    files.push([path.value, Buffer.from(bytes.value).toString('base64')]);
  }
  return ok({ folder, files, ...about });
}

/** The package as it was, in its place among the other files of its source. */
export function keptSource({ folder, files }: KeptPackage, rest: TextSource): TextSource {
  const kept = sourceOf(files);
  const of = (path: string): TextSource => {
    const clean = kept.clean(path);
    const isInside =
      clean.ok && (folder === '.' || clean.value === folder || clean.value.startsWith(`${folder}/`));
    return isInside ? kept : rest;
  };
  return {
    clean: (path) => of(path).clean(path),
    readText: (path) => of(path).readText(path),
    readBytes: (path) => of(path).readBytes(path),
    list: (path = '.', options) => of(path).list(path, options),
    walk: (path = '.', options) => of(path).walk(path, options),
  };
}

/** The same from the package's own folder, as tools name it below `@pkg`. */
export function packageSource({ folder, files }: KeptPackage): TextSource {
  if (folder === '.') return sourceOf(files);
  return sourceOf(files.map(([path, bytes]) => [path.slice(folder.length + 1), bytes]));
}

function sourceOf(files: KeptPackage['files']): TextSource {
  const bytes = files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')] as const);
  const source = memorySource(Object.fromEntries(bytes));
  if (!source.ok) throw new Error(`a package that was kept does not fit: ${source.error.code}`);
  return source.value;
}

/** Folders of a project that is a package itself which are not written by its author. */
const NOT_OF_IT: readonly string[] = ['.git', 'node_modules', '.cuebook'];

/** Of all files together. */
const MAX_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = {
  code: 'E_RUN_SOURCES',
  message: 'The package has more than 64 MB, which is too much to be kept with a run.',
};
