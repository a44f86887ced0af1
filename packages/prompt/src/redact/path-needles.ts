import { guard } from '@cuebook/guard';
import { isAlnum, isCjk, isWord } from './chars.js';
import { leastOf } from './decoded.js';
import { lowerOf } from './fold.js';
import type { LeakContext } from './leak-context.js';
import { isPathStart } from './path-start.js';
import { type Shadow, shadowOf } from './shadow.js';

/** What the context says about a path prefix. */
export interface PathNeedle {
  readonly kind: 'root' | 'private' | 'public';
  /** The mount alias, for roots. */
  readonly alias: string;
  /** Short prefixes count only where a path starts: `/app` is not in `src/app`. */
  readonly strict: boolean;
}

export interface PathMatch {
  readonly needle: PathNeedle;
  readonly start: number;
  readonly end: number;
}

/** Finds the longest known path prefix at a separator. */
export interface PathNeedles {
  /** `at` is the place of a separator in the shadow; the prefix may start before it (`C:` of `C:/`). */
  matchAt(shadow: Shadow, at: number): PathMatch | undefined;
  /** The length of the shortest prefix (see `leastOf`). */
  readonly least: number;
  /** By ASCII code: 1 for what may follow the first separator of a known prefix. */
  readonly afterGate: Uint8Array;
  /** By two ASCII codes in lower case: 1 for the two characters that may follow it. */
  readonly afterPairs: Uint8Array;
}

interface Node {
  readonly next: Map<number, Node>;
  needle?: PathNeedle;
}

/** Compiles the known prefixes in all their spellings into one trie per place of their first separator. */
export function compilePathNeedles(context: LeakContext): PathNeedles {
  const tries = new Map<number, Node>();
  const known: string[] = [];
  const add = (path: string, kind: PathNeedle['kind'], alias: string): void => {
    for (const spelling of spellingsOf(path)) {
      const offset = spelling.indexOf('/');
      if (offset === -1 || offset > 64 || !/[^/.]/.test(spelling.slice(offset))) continue;
      const strict = spelling.length < 8 || spelling.indexOf('/', offset + 1) === -1;
      insert(tries, offset, spelling, { kind, alias, strict });
      known.push(spelling);
    }
  };
  for (const path of context.public ?? []) add(path, 'public', '');
  for (const path of context.private) add(path, 'private', '');
  for (const [alias, path] of context.roots) add(path, 'root', alias.replace(/\/+$/, ''));

  const starts = [...tries].map(([offset, root]) => ({ offset, root, ...gatesOf(root, offset) }));
  return {
    least: leastOf(known),
    afterPairs: afterPairsOf(tries),
    afterGate: Uint8Array.from({ length: 128 }, (_, code) =>
      starts.some((start) => start.afterGate[code] === 1) ? 1 : 0,
    ),
    matchAt(shadow, at) {
      const { text } = shadow;
      const after = text.charCodeAt(at + 1);
      const before = text.charCodeAt(at - 1);
      let best: PathMatch | undefined;
      for (let index = 0; index < starts.length; index += 1) {
        const { offset, root, afterGate, beforeGate } = starts[index]!;
        if (after < 128 && afterGate[after] === 0) continue;
        if (offset > 0 && (at < offset || (before < 128 && beforeGate[before] === 0))) continue;
        const match = longestFrom(shadow, at - offset, root);
        if (match && (!best || match.end > best.end)) best = match;
      }
      return best;
    },
  };
}

/** Which ASCII characters may stand beside the first separator: nearly every place fails on them. */
function gatesOf(
  root: Node,
  offset: number,
): { readonly afterGate: Uint8Array; readonly beforeGate: Uint8Array } {
  const afterGate = new Uint8Array(128);
  const beforeGate = new Uint8Array(128);
  const visit = (node: Node, depth: number, last: number): void => {
    for (const [code, next] of node.next) {
      if (depth === offset && last < 128) markBothCases(beforeGate, last);
      if (depth === offset + 1) markBothCases(afterGate, code);
      else visit(next, depth + 1, code);
    }
  };
  visit(root, 0, 0);
  return { afterGate, beforeGate };
}

function afterPairsOf(tries: ReadonlyMap<number, Node>): Uint8Array {
  const pairs = new Uint8Array(128 * 128);
  for (const [offset, root] of tries) {
    const visit = (node: Node, depth: number, last: number): void => {
      // A prefix that ends after one more character may be followed by anything.
      if (depth === offset + 2 && node.needle && last < 128) pairs.fill(1, last * 128, last * 128 + 128);
      for (const [code, next] of node.next) {
        if (depth < offset + 2) visit(next, depth + 1, code);
        else if (last < 128 && code < 128) pairs[last * 128 + code] = 1;
        else if (last < 128) pairs.fill(1, last * 128, last * 128 + 128);
        if (depth === offset + 2 && code === 32 && last < 128) pairs[last * 128 + 43] = 1;
      }
    };
    visit(root, 0, 0);
  }
  return pairs;
}

function markBothCases(gate: Uint8Array, code: number): void {
  if (code >= 128) return;
  gate[code] = 1;
  gate[String.fromCharCode(code).toUpperCase().charCodeAt(0)] = 1;
  if (code === 32) gate[43] = 1;
}

function insert(tries: Map<number, Node>, offset: number, spelling: string, needle: PathNeedle): void {
  let node = childOf(tries, offset);
  for (let index = 0; index < spelling.length; index += 1)
    node = childOf(node.next, spelling.charCodeAt(index));
  node.needle = needle;
}

function childOf(nodes: Map<number, Node>, key: number): Node {
  const child = nodes.get(key) ?? { next: new Map() };
  nodes.set(key, child);
  return child;
}

function longestFrom(shadow: Shadow, start: number, root: Node): PathMatch | undefined {
  const { text } = shadow;
  let node: Node | undefined = root;
  let found: PathMatch | undefined;
  for (let at = start; ; at += 1) {
    if (node.needle && isPrefixEnd(text, at) && (!node.needle.strict || isPathStart(text, start))) {
      found = { needle: node.needle, start, end: at };
    }
    const code = matchingCode(text.charCodeAt(at));
    const next: Node | undefined = node.next.get(code) ?? (code === 43 ? node.next.get(32) : undefined);
    if (!next) return found;
    node = next;
  }
}

/** Lower case and separators, one unit at a time: most places fail on their first character. */
function matchingCode(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code === 92 ? 47 : code;
  if (code >= 0xe001 && code < 0xe080) return code - 0xe000;
  return code < 0x2000 ? lowerOf(String.fromCharCode(code)).charCodeAt(0) : code;
}

/** A known prefix ends where its last folder's name does: `/a/proj` is not in `/a/proj2` or `/a/proj.bak`. */
function isPrefixEnd(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  if (Number.isNaN(next) || next === 47 || next === 92) return true;
  if (guard('redact.boundary', goesOn(text, at, next))) return false;
  return true;
}

function goesOn(text: string, at: number, next: number): boolean {
  if (isCjk(next)) return isCjk(text.charCodeAt(at - 1));
  if (isWord(next) || next === 45) return true;
  const isJoiner = next === 46 || next === 43 || next === 64 || next === 126 || next === 35;
  return isJoiner && isAlnum(text.charCodeAt(at + 1));
}

/** All ways to write a path, in the shadow's matching form. */
export function spellingsOf(path: string): readonly string[] {
  const forms = [shadowOf(path).lower(), shadowOf(path.replaceAll('\\', '/')).lower()].map(trimEnd);
  const spellings = new Set<string>();
  for (const form of forms) for (const spelling of spellingsOfForm(form)) spellings.add(spelling);
  return [...spellings].filter((spelling) => spelling.length > 1);
}

const trimEnd = (path: string): string =>
  path.replace(/^file:\/+(?=[a-z]:)|^file:\/\//, '').replace(/[/\s]+$/, '');

function spellingsOfForm(form: string): readonly string[] {
  const drive =
    /^(?:\/[?.]\/)?([a-z])[:|](\/.*)$/.exec(form) ??
    /^\/(?:mnt\/|cygdrive\/|host_mnt\/)?([a-z])(\/.+)$/.exec(form);
  if (drive?.[1] && drive[2]) return driveSpellings(drive[1], drive[2]);
  if (/^\/private\/(?:var|tmp|etc)(?:\/|$)/.test(form)) return [form, form.slice('/private'.length)];
  if (/^\/(?:var|tmp|etc)(?:\/|$)/.test(form)) return [form, `/private${form}`];
  return [form];
}

/** `C:\x` is also `/c/x`, `/mnt/c/x`, `/cygdrive/c/x`, `c|/x`, `\\host\c$\x`, each with 8.3 short names. */
function driveSpellings(letter: string, rest: string): readonly string[] {
  return shortNameForms(rest).flatMap((tail) => [
    `${letter}:${tail}`,
    `${letter}|${tail}`,
    `/${letter}:${tail}`,
    `/${letter}${tail}`,
    `/${letter}$${tail}`,
    `/mnt/${letter}${tail}`,
    `/host_mnt/${letter}${tail}`,
    `/cygdrive/${letter}${tail}`,
  ]);
}

/** `/users/quinn ray/x` and `/users/quinnr~1/x`. At most 16 forms: deeper long names stay long. */
function shortNameForms(rest: string): readonly string[] {
  let forms = [''];
  for (const segment of rest.slice(1).split('/')) {
    const short = shortNameOf(segment);
    const choices = short && forms.length <= 4 ? [segment, `${short}~1`, `${short}~2`] : [segment];
    forms = forms.flatMap((form) => choices.map((choice) => `${form}/${choice}`));
  }
  return forms.slice(0, 16);
}

/** The stem of a name's 8.3 form, or undefined when the name is short enough to need none. */
export function shortNameOf(segment: string): string | undefined {
  const dot = segment.lastIndexOf('.');
  const stem = (dot > 0 ? segment.slice(0, dot) : segment).replace(/[^a-z0-9_$~!#%&@^`(){}'-]/g, '');
  const needsOne = stem.length > 8 || /[ +,;=[\]]/.test(segment);
  return needsOne && stem.length > 0 ? stem.slice(0, 6) : undefined;
}
