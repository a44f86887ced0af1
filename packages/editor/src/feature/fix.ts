import type { Diagnostic } from '@cuebook/prompt';
import type { EditorProject } from '../project.js';
import { linesOfText, type TextLines, type TextRange, wordAt } from '../text/lines.js';
import type { FileEdit } from './edit.js';

/** A change that takes a diagnostic away. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly FileEdit[];
  /** The one that is most likely meant. */
  readonly isPreferred: boolean;
}

/** The fixes of a diagnostic. */
export async function fixesFor(project: EditorProject, diagnostic: Diagnostic): Promise<readonly Fix[]> {
  const { file } = diagnostic;
  const text = file === undefined ? undefined : await project.text(file);
  if (file === undefined || text === undefined || diagnostic.line === undefined) return [];
  const lines = linesOfText(text);
  const at = lines.offsetOf(diagnostic.line, diagnostic.column);
  return [
    ...meantFix(file, lines, at, diagnostic.message),
    ...saidFix(file, lines, at, diagnostic.message),
    ...(FIXES[diagnostic.code]?.({ file, lines, at, diagnostic }) ?? []),
  ];
}

interface FixAt {
  readonly file: string;
  readonly lines: TextLines;
  readonly at: number;
  readonly diagnostic: Diagnostic;
}

/** Messages that know what was meant say so: `"X" … Did you mean "Y"?`. */
function meantFix(file: string, { text }: TextLines, at: number, message: string): readonly Fix[] {
  const cut = message.lastIndexOf('Did you mean ');
  const meant = /^Did you mean "?([^"?\s]+)"?\?/.exec(message.slice(cut))?.[1];
  if (cut === -1 || meant === undefined) return [];
  const wrong = [...message.slice(0, cut).matchAll(/"([^"\n]{1,200})"/g)].map(([, word = '']) => word);
  const bare = /(\S+) is no property/.exec(message)?.[1]?.split('.').at(-1);
  for (const word of [...(bare === undefined ? [] : [bare]), ...wrong.reverse()]) {
    const range = nearWord(text, at, word);
    if (range === undefined) continue;
    const edits = [{ kind: 'replace', file, range, text: meant } as const];
    return [{ title: `Change to "${meant}"`, edits, isPreferred: true }];
  }
  return [];
}

/** Two places that say different names of one thing: `says "X" … the graph "Y"`, `says "X" and the file is called "Y"`. */
function saidFix(file: string, { text }: TextLines, at: number, message: string): readonly Fix[] {
  const [, said = '', right = ''] =
    / says (?:\w+ )?"([^"\n]+)"(?:,| and) the (?:graph|file is called) "([^"\n]+)"/.exec(message) ?? [];
  const range = said === '' ? undefined : nearWord(text, at, said);
  if (range === undefined) return [];
  const edits = [{ kind: 'replace', file, range, text: right } as const];
  return [{ title: `Change to "${right}"`, edits, isPreferred: true }];
}

/** A whole word at a place, else the nearest before it, else the first behind it on its line. */
function nearWord(text: string, at: number, word: string): TextRange | undefined {
  const isWhole = (start: number): boolean =>
    text.startsWith(word, start) &&
    !/[\w-]/.test(text.charAt(start - 1)) &&
    !/[\w-]/.test(text.charAt(start + word.length));
  const range = (start: number): TextRange => ({ start, end: start + word.length });
  const here = wordAt(text, at).start;
  if (isWhole(here)) return range(here);
  for (let start = at; start >= Math.max(0, at - NEAR); start -= 1) if (isWhole(start)) return range(start);
  const end = text.indexOf('\n', at);
  const last = Math.min(end === -1 ? text.length : end, at + NEAR);
  for (let start = at; start < last; start += 1) if (isWhole(start)) return range(start);
  return undefined;
}

const NEAR = 400;

const FIXES: Readonly<Record<string, (at: FixAt) => readonly Fix[]>> = {
  E_INCLUDE_UNKNOWN: ({ diagnostic: { message } }) => {
    const [, name] = /^No text is called "([^"]+)"/.exec(message) ?? [];
    if (name === undefined) return [];
    const file = `texts/${name}.md`;
    const title = `Write ${file}`;
    return [
      { title, edits: [{ kind: 'create', file, text: '' }], isPreferred: !message.includes('Did you mean') },
    ];
  },
  E_SHEET_INPUT: ({ file, lines, diagnostic: { message } }) => {
    const [, name] = /"([A-Za-z][\w.-]*)"/.exec(message) ?? [];
    if (name === undefined || !file.startsWith('sheets/')) return [];
    // Nobody but the author knows who writes an input: each level of trust is a fix of its own.
    return (['user', 'operator', 'external'] as const).map((trust) => ({
      title: `Declare the input "${name}", written by: ${trust}`,
      edits: [declareInput(file, lines, name, trust)],
      isPreferred: false,
    }));
  },
  W_SHEET_INPUT_UNUSED: ({ file, lines: { text }, at, diagnostic: { message } }) => {
    const [, name] = /^The input "([^"]+)"/.exec(message) ?? [];
    const key = name === undefined ? undefined : nearWord(text, at, name);
    const range = key === undefined ? undefined : entryRange(text, key);
    if (range === undefined) return [];
    return [
      {
        title: `Remove the input "${name}"`,
        edits: [{ kind: 'replace', file, range, text: '' }],
        isPreferred: true,
      },
    ];
  },
  W_FRONTMATTER: ({ file, lines: { text } }) => {
    const [head] =
      /^\ufeff?---[ \t]*\r?\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
    if (head === undefined || !file.endsWith('.md')) return [];
    const range = { start: 0, end: head.length };
    return [
      {
        title: 'Remove the frontmatter',
        edits: [{ kind: 'replace', file, range, text: '' }],
        isPreferred: true,
      },
    ];
  },
  E_TRUST_IN_SYSTEM: ({ file, lines: { text }, at }) => {
    const before = text.slice(0, at);
    const found = [...before.matchAll(/^[ \t-]*role:[ \t]*(system)\b/gm)].at(-1);
    if (found === undefined || !file.startsWith('sheets/')) return [];
    const end = found.index + found[0].length;
    const range = { start: end - 'system'.length, end };
    return [
      {
        title: 'Make it a block of role user',
        edits: [{ kind: 'replace', file, range, text: 'user' }],
        isPreferred: true,
      },
    ];
  },
};

function declareInput(file: string, { text }: TextLines, name: string, trust: string): FileEdit {
  const body = `  ${name}: { trust: ${trust}, secrecy: public, volatility: turn }\n`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const inserted = (words: string): string => words.replaceAll('\n', eol);
  const inputs = /^inputs:[ \t]*(?:#[^\n]*)?\r?\n/m.exec(text);
  if (inputs !== null) {
    const at = inputs.index + inputs[0].length;
    // As deep as the inputs that are there.
    const indent = /^([ \t]+)\S/.exec(text.slice(at))?.[1] ?? '  ';
    return {
      kind: 'replace',
      file,
      range: { start: at, end: at },
      text: inserted(indent + body.trimStart()),
    };
  }
  const blocks = /^blocks:/m.exec(text)?.index ?? 0;
  return { kind: 'replace', file, range: { start: blocks, end: blocks }, text: inserted(`inputs:\n${body}`) };
}

/** The lines of an entry of a block map: its key's line and all that is deeper; undefined in a flow map. */
function entryRange(text: string, key: TextRange): TextRange | undefined {
  const start = text.lastIndexOf('\n', key.start - 1) + 1;
  const indent = text.slice(start, key.start);
  if (!/^[ \t]+$/.test(indent)) return undefined;
  let end = lineEnd(text, key.end);
  while (end < text.length) {
    const line = text.slice(end, lineEnd(text, end));
    if (line.trim() !== '' && !line.startsWith(`${indent} `) && !line.startsWith(`${indent}\t`)) break;
    end += line.length;
  }
  // A map without its only entry would be no map: its key goes with it.
  const above = text.lastIndexOf('\n', start - 2) + 1;
  const isFirst = /^inputs:[ \t]*\r?\n$/.test(text.slice(above, start));
  return isFirst && !/^[ \t]/.test(text.slice(end)) ? { start: above, end } : { start, end };
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
