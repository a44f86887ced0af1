import type { Piece } from './block.js';
import type { Volatility } from './label.js';
import { advancePlace, type Place } from './origin.js';

/**
 * The words that a package of Cuebook ships, in files of their own. `at` names a file, `roles/lead.md`, or a section of
 * one, `task.md#cause.start`. A section begins below a line `<!-- cause.start -->` and ends before the next such line,
 * without the blank lines there. Files are read when their words are first asked for.
 */
export interface ShippedTexts {
  /** The words as text. */
  readonly text: (at: string) => string;
  /** The words as one piece at its place in the file. The same words are the same piece. */
  readonly piece: (at: string, volatility?: Volatility) => Piece;
  /** The piece of the section of a file that says exactly this; undefined where none does. */
  readonly find: (file: string, words: string, volatility?: Volatility) => Piece | undefined;
  /** Texts by name, each read when it is asked for. */
  readonly record: <Name extends string>(
    names: readonly Name[],
    at: (name: Name) => string,
  ) => Readonly<Record<Name, string>>;
  /** The words with a value in the place of every `{{name}}`. Throws for a name that has none. */
  readonly fill: (
    at: string,
    values: Readonly<Record<string, Piece | readonly Piece[]>>,
    volatility?: Volatility,
  ) => readonly Piece[];
}

/** The shipped texts of a package, which origins call `cuebook:PACKAGE/FILE`. `read` answers a file of its own. */
export function shippedTexts(owner: string, read: (file: string) => string): ShippedTexts {
  const files = new Map<string, ReadonlyMap<string, Section>>();
  const pieces = new Map<string, Piece>();
  const sections = (file: string): ReadonlyMap<string, Section> => {
    const known = files.get(file) ?? sectionsOf(...openShipped(owner, file, read));
    files.set(file, known);
    return known;
  };
  const find = (at: string): Section => {
    const [file = '', name = ''] = at.split('#', 2);
    const section = sections(file).get(name);
    if (section === undefined) throw new TypeError(`No shipped text of ${owner} is called ${at}`);
    return section;
  };
  const piece = (at: string, volatility: Volatility = 'build'): Piece => {
    const key = `${volatility} ${at}`;
    const known = pieces.get(key) ?? pieceAt(find(at), volatility);
    pieces.set(key, known);
    return known;
  };
  return {
    text: (at) => find(at).text,
    piece,
    find: (file, words, volatility) => {
      for (const [name, { text }] of sections(file))
        if (text === words) return piece(`${file}#${name}`, volatility);
      return undefined;
    },
    record: (names, at) => {
      const getters = names.map((name) => [name, { enumerable: true, get: () => find(at(name)).text }]);
      return Object.defineProperties({}, Object.fromEntries(getters)) as Readonly<Record<string, string>>;
    },
    fill: (at, values, volatility = 'build') => {
      const { text, place } = find(at);
      const out: Piece[] = [];
      const add = (from: number, to: number): void => {
        if (from === to) return;
        const start = advancePlace(place, text.slice(0, from));
        out.push(pieceAt({ text: text.slice(from, to), place: start }, volatility));
      };
      let from = 0;
      for (const { 0: hole, 1: name = '', index } of text.matchAll(HOLE)) {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (value === undefined) throw new TypeError(`The shipped text ${at} has no value for ${name}`);
        add(from, index);
        out.push(...('text' in value ? [value] : value));
        from = index + hole.length;
      }
      add(from, text.length);
      return out;
    },
  };
}

/** Reads a file of a package, and what origins call it. */
export function openShipped(
  owner: string,
  file: string,
  read: (file: string) => string,
): readonly [ref: string, text: string] {
  const [ref, text] = [`cuebook:${owner}/${file}`, read(file)];
  SHIPPED.set(ref, text);
  return [ref, text];
}

/** The text of a file that was read, by what origins call it. */
export const shippedText = (ref: string): string | undefined => SHIPPED.get(ref);

const SHIPPED = new Map<string, string>();

const HOLE = /\{\{(\w+)\}\}/g;
const MARK = /^<!-- ([\w.-]+) -->\n/gm;

interface Section {
  readonly text: string;
  readonly place: Place;
}

/** The sections by name; the whole file has the empty one. */
function sectionsOf(ref: string, text: string): ReadonlyMap<string, Section> {
  const top: Place = { ref, line: 1, column: 1 };
  const sections = new Map<string, Section>([['', { text, place: top }]]);
  const marks = [...text.matchAll(MARK)];
  marks.forEach(({ 0: line, 1: name = '', index }, nth) => {
    const start = index + line.length;
    const words = text.slice(start, marks[nth + 1]?.index ?? text.length).trimEnd();
    sections.set(name, { text: words, place: advancePlace(top, text.slice(0, start)) });
  });
  return sections;
}

const pieceAt = ({ text, place }: Section, volatility: Volatility): Piece => ({
  text,
  origin: { kind: 'shipped', ...place },
  trust: 'platform',
  secrecy: 'public',
  volatility,
});
