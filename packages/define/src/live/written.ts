import type { Piece } from '@cuebook/prompt';
import type { ReadFile } from '../load/project.js';
import { literalsOf } from '../source/literals.js';
import { loadParser } from '../source/parse.js';
import { placesIn } from '../source/source-file.js';

/** Files that one function imports, directly or through others. */
const MAX_FILES = 100;

/** The texts that are written out in a file of code and in what it imports from the project, with their places. */
export async function writtenIn(file: string, read: ReadFile): Promise<readonly Piece[]> {
  const parse = await loadParser();
  const pieces: Piece[] = [];
  const seen = new Set<string>();
  const open = [file];
  while (open.length > 0 && seen.size < MAX_FILES) {
    const path = open.shift() as string;
    if (seen.has(path)) continue;
    seen.add(path);
    const text = await read(path);
    if (text === undefined) continue;
    const placeAt = placesIn(path, text);
    for (const { text: words, at, verbatim } of literalsOf(parse, path, text)) {
      if (/^\.{1,2}\//.test(words)) open.push(...importsOf(path, words));
      const origin = { kind: verbatim ? 'file' : 'value', ...placeAt(at) } as const;
      pieces.push({ text: words, origin, trust: 'author', secrecy: 'public', volatility: 'build' });
    }
  }
  return pieces;
}

/** The files that an import may mean. */
function importsOf(from: string, specifier: string): readonly string[] {
  const parts = from.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '..' && parts.length === 0) return [];
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  const path = parts.join('/');
  const bare = path.replace(/\.[cm]?js$/, '');
  return [path, ...['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'].map((end) => `${bare}${end}`)];
}
