import { describeFileError, type TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';

/** The five kinds of definitions, with their folders below `agents/`. */
export const KINDS = ['model', 'prompt', 'tool', 'hook', 'agent'] as const;
export type DefinitionKind = (typeof KINDS)[number];

/** Where definitions live. */
export const AGENTS_FOLDER = 'agents';

export interface DefinitionFile {
  readonly kind: DefinitionKind;
  readonly path: string;
  /** The file's name without its ending: the name of a tool. */
  readonly stem: string;
}

export interface FoundFiles {
  readonly files: readonly DefinitionFile[];
  /** The text of each code file below `agents/`, definitions and what they import. */
  readonly texts: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** More definitions than this are not a project but an accident. */
export const MAX_FILES = 20_000;
export const MAX_TEXT = 256 * 1024 * 1024;

/** Finds and reads the code below `agents/`. A project without that folder has none. */
export async function findFiles(project: TextSource): Promise<FoundFiles> {
  const paths: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for await (const path of project.walk(AGENTS_FOLDER)) {
    if (path.ok && /\.(?:m?[jt]s|json)$/.test(path.value)) paths.push(path.value);
    if (path.ok || path.error.code === 'E_FILE_NOT_FOUND') continue;
    diagnostics.push({ code: path.error.code, severity: 'error', message: describeFileError(path.error) });
  }
  if (guard('load.many', paths.length > MAX_FILES)) {
    const message = `There are more than ${MAX_FILES} files of code below ${AGENTS_FOLDER}/`;
    return {
      files: [],
      texts: new Map(),
      diagnostics: [{ code: 'E_DEFINITION_LOAD', severity: 'error', message }],
    };
  }
  const texts = new Map<string, string>();
  for (const batch of chunks(paths, 512)) {
    const read = await (project.readTexts?.(batch) ??
      Promise.all(batch.map((path) => project.readText(path))));
    for (const [index, text] of read.entries()) {
      const path = batch[index] as string;
      if (text.ok) texts.set(path, text.value);
      else
        diagnostics.push({
          code: text.error.code,
          severity: 'error',
          message: describeFileError(text.error),
          file: path,
        });
    }
  }
  diagnostics.push(...misnamedFolders(texts.keys()));
  return foundFiles(texts, diagnostics);
}

/** The same from texts that were read before. */
export const foundFiles = (
  texts: ReadonlyMap<string, string>,
  diagnostics: readonly Diagnostic[],
): FoundFiles => ({ files: [...texts.keys()].flatMap(definitionFile), texts, diagnostics });

/** Folders whose name is nearly that of a kind: what is in them is passed over, and nobody would know why. */
function misnamedFolders(paths: Iterable<string>): readonly Diagnostic[] {
  const folders = KINDS.map((kind) => `${kind}s`);
  const found = new Map<string, string>();
  for (const path of paths) {
    const folder = /^agents\/([^/]+)\//.exec(path)?.[1];
    if (folder !== undefined && !folders.includes(folder) && !found.has(folder)) found.set(folder, path);
  }
  return [...found].flatMap(([folder, file]): Diagnostic[] => {
    const meant = nearest(folder, folders);
    if (meant === undefined) return [];
    const message = `Files in ${AGENTS_FOLDER}/${folder}/ define nothing. Did you mean ${AGENTS_FOLDER}/${meant}/?`;
    return [{ code: 'W_DEFINITION_FOLDER', severity: 'warning', message, file, line: 1, column: 1 }];
  });
}

/** `agents/prompts/x.ts` is a prompt's; tests, type declarations and other folders hold no definitions. */
function definitionFile(path: string): readonly DefinitionFile[] {
  const [, folder = '', stem = ''] = /^agents\/([a-z]+)s\/([^/]+)\.(?:m?ts|m?js)$/.exec(path) ?? [];
  const kind = KINDS.find((each) => each === folder);
  if (kind === undefined || /\.(?:d|test|spec)$/.test(stem)) return [];
  return [{ kind, path, stem }];
}

function* chunks<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
