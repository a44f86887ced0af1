import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documents } from './docs/document.js';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

const GLOSSARY = 'docs/internals/glossary.md';
const HEADING = '## Words that readers do not have to guess';

/** The words that are refused, as the glossary lists them. */
const refused = (): readonly string[] =>
  [
    ...(readFileSync(join(ROOT, GLOSSARY), 'utf8').split(HEADING)[1] ?? '').matchAll(
      /^\| ([^|]+?) \| [^|]+? \|$/gm,
    ),
  ].flatMap(([, words = '']) => (/^(?:not|-+)$/.test(words) ? [] : words.split(', ')));

/** The texts in code that people read: strings between quotes, and what stands between tags. Comments are none. */
function readTexts(source: string): string {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const strings = code.matchAll(
    /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`|>([^<>{}\n]+)</g,
  );
  return [...strings].map((each) => each.slice(1).join('')).join('\n');
}

function readByPeople(): readonly (readonly [file: string, text: string])[] {
  const pages = documents()
    .filter(({ file }) => !/^docs\/(?:internals|decisions)\//.test(file))
    .map(({ file, text }) => [file, text] as const);
  const code = workspaces()
    .flatMap(({ folder }) => filesUnder(`${folder}/src`, ['.ts', '.tsx']))
    .filter((file) => !file.includes('.test.'))
    .map((file) => [file, readTexts(readFileSync(join(ROOT, file), 'utf8'))] as const);
  return [...pages, ...code];
}

it('what people read has none of the words that the glossary refuses', () => {
  const words = refused();
  expect(words.length).toBeGreaterThan(3);
  const pattern = new RegExp(`(?<![\\w-])(?:${words.join('|')})(?![\\w-])`, 'i');
  const found = readByPeople().flatMap(([file, text]) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim().slice(0, 120)}`] : [])),
  );
  expect(found).toEqual([]);
});

it('texts in code are told from comments and names', () => {
  const source = "/** mend */\n// mend\nconst mend = 'one'; // mend\n<p>two</p>\nconst x = `three`;";
  expect(readTexts(source).split('\n')).toEqual(['one', 'two', 'three']);
});
