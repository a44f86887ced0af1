import type { TextSource } from '@cuebook/files';
import { literalRuns } from '../source/literal.js';
import { loadOutliner, type OutlineOf } from '../source/outline.js';
import { type DefinitionKind, findFiles } from './files.js';

/**
 * The names that definitions of one kind most likely have, sorted: as they are written in the files, which are
 * read and not run. A name that is computed is taken to be that of its file.
 */
export async function readNames(project: TextSource, kind: DefinitionKind): Promise<readonly string[]> {
  const { files, texts } = await findFiles(project);
  const own = files.filter((file) => file.kind === kind);
  if (own.length === 0) return [];
  const outlineOf = await loadOutliner();
  const names = own.map(({ path, stem }) =>
    kind === 'tool' ? stem : (writtenName(outlineOf, path, texts.get(path) ?? '', kind) ?? stem),
  );
  return [...new Set(names)].sort();
}

function writtenName(
  outlineOf: OutlineOf,
  path: string,
  text: string,
  kind: DefinitionKind,
): string | undefined {
  const outline = outlineOf(path, text)?.entries?.get(kind === 'hook' ? 'id' : 'name');
  if (outline?.literalEnd === undefined) return undefined;
  const runs = literalRuns(text, outline.start, outline.literalEnd);
  return runs?.map((run) => run.text).join('');
}
