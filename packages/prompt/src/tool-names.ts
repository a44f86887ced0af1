import { guard } from '@cuebook/guard';
import { countSlips } from './tool-slip.js';

/** What a model meant by a name. */
export type Understood =
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'ambiguous'; readonly names: readonly string[] }
  | { readonly kind: 'unknown' };

/** The tools of one request: one name to call each by, and which of them a spelling means. */
export interface ToolNames {
  /** The name that every model API takes; readable, the same in every request that lists the same tools first. */
  toWire(name: string): string;
  /**
   * A tool of the request by any spelling of its name that fits no other. Where a name is one tool's own and what
   * another is called by, `first` says which of the two was told.
   */
  understand(said: string, first?: 'wire' | 'own'): Understood;
}

/** Letters, digits, underscore and dash, not beginning with a digit or a dash: every vendor takes these. */
const CALLABLE = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_NAME = 64;

/** `toString`, `constructor`: client libraries look names up in objects, and every object has these. */
const isOfObjects = (name: string): boolean => name in {};

/** Whether every model API can send this name. */
export const isCallable = (name: string): boolean => CALLABLE.test(name) && !isOfObjects(name);

/**
 * Names for a request. A name that can be called is its own; any other keeps what is readable of it (`fs.read`
 * becomes `fs_read`), with a suffix only where an earlier tool has that name already: a tool that is added behind
 * the others renames none of them. `offered` are the tools that may be called; `others` are names that stand in
 * the history and need a name too, but are never what somebody means: what is as near to one of these is nobody.
 */
export function nameTools(offered: Iterable<string>, others: Iterable<string> = []): ToolNames {
  const names = [...new Set(offered)];
  const known = [...new Set([...names, ...others])];
  const wires = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of known) {
    let wire = callableName(name);
    for (let salt = 0; taken.has(wire); salt += 1) wire = suffixed(name, salt);
    wires.set(name, wire);
    taken.add(wire);
  }
  const toWire = (name: string): string => wires.get(name) ?? callableName(name);
  return {
    toWire,
    understand(said, first = 'wire') {
      const byWire = names.find((name) => toWire(name) === said);
      const own = names.find((name) => name === said);
      const exact = first === 'wire' ? (byWire ?? own) : (own ?? byWire);
      if (exact !== undefined) return { kind: 'known', name: exact };
      if (said.length > MAX_SAID) return { kind: 'unknown' };
      return findSpelling(said, names, toWire) ?? findSlip(said, { names, known, toWire });
    },
  };
}

/** What is readable of a name, in characters that every vendor takes. */
export function callableName(name: string): string {
  if (isCallable(name)) return name;
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+(?=[a-zA-Z])|_+$/g, '');
  const begun = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  const readable = /[a-zA-Z0-9]/.test(plain) ? begun : 'tool';
  return isOfObjects(readable) ? `${readable}_` : readable.slice(0, MAX_NAME);
}

const suffixed = (name: string, salt: number): string =>
  `${callableName(name).slice(0, MAX_NAME - 14)}_x${digest(`${salt}:${name}`)}`;

function findSpelling(
  said: string,
  names: readonly string[],
  toWire: (name: string) => string,
): Understood | undefined {
  for (const fold of [words, letters]) {
    for (const spelling of spellings(said)) {
      const key = fold(spelling);
      if (key === '') continue;
      const found = names.filter((name) => fold(name) === key || fold(toWire(name)) === key);
      if (found.length === 1) return { kind: 'known', name: found[0] as string };
      if (guard('tool.ambiguous', found.length > 1)) return { kind: 'ambiguous', names: found };
      if (found.length > 1) return { kind: 'known', name: found[0] as string };
    }
  }
  return undefined;
}

interface Known {
  readonly names: readonly string[];
  /** With those that are never meant. */
  readonly known: readonly string[];
  readonly toWire: (name: string) => string;
}

/** The one tool whose name is said with the fewest slips. Two that are as near are nobody. */
function findSlip(said: string, { names, known, toWire }: Known): Understood {
  const spoken = spellings(said).map((spelling) => wordsOf(spelling));
  const slips = (name: string): number =>
    Math.min(
      ...[name, toWire(name)].flatMap((each) =>
        spoken.map((spelling) => countSlips(spelling, wordsOf(each)) ?? Number.POSITIVE_INFINITY),
      ),
    );
  const counted = known.map((name) => ({ name, slips: slips(name) }));
  const least = Math.min(...counted.map(({ slips }) => slips));
  if (!Number.isFinite(least)) return { kind: 'unknown' };
  const near = counted.filter(({ slips }) => slips === least).map(({ name }) => name);
  const found = near.filter((name) => names.includes(name));
  if (found.length === 0) return { kind: 'unknown' };
  if (guard('tool.slip', near.length > 1)) return { kind: 'ambiguous', names: found };
  return { kind: 'known', name: found[0] as string };
}

/** No name is longer; what is said at greater length is not looked at. */
const MAX_SAID = 400;

/**
 * As it was said, and without what models and clients put around it, one thing after another: `functions.`,
 * `mcp__cuebook__`, the number of the call (`fs_read:0`), a token of the template (`fs_read<|channel|>`).
 */
function spellings(said: string): readonly string[] {
  const found = new Set([said.trim()]);
  // A set tells of what is added while it is walked.
  for (const bare of found) {
    for (const each of AROUND) {
      const rest = bare.replace(each, '').trim();
      if (rest !== '') found.add(rest);
    }
  }
  return [...found];
}

const AROUND: readonly RegExp[] = [
  /^(?:functions?|tools?|(?:default_)?api|namespace|default|call|to=functions?|assistant|multi_tool_use|plugins?|container|repo_browser)[.:/_-]+/i,
  /^mcp[._/:-]+(?=cuebook[._/:-])/i,
  /^cuebook[._/:-]+/i,
  /[:#_]\d{1,6}$/,
  /<\|.*$/s,
  /[ _-]?(?:tool|function)$/i,
  /\s*[({[].*$/s,
];

/** Its words, whatever stands between them and however they are written: `fsRead`, `FS_READ`, `fs.read`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const words = (name: string): string => wordsOf(name).join('_');

const letters = (name: string): string => words(name).replaceAll('_', '');

/** Twelve digits of a hash that needs no library: names collide rarely, and a salt tells those apart that do. */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  return `${hex(high ^ (low >>> 13))}${hex(low ^ (high >>> 11))}`.slice(0, 12);
}
