import { readYaml, readYamlDocuments, type YamlSource } from '@cuebook/yaml';
import { namesOfDefinition } from '../names/other-names.js';
import { keyRange } from '../names/yaml-strings.js';
import type { EditorProject } from '../project.js';
import { linesOfText, type TextLines, type TextRange } from '../text/lines.js';

/** A part of a file that has a name, with the parts inside it. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: OutlineKind;
  /** The whole part. */
  readonly range: TextRange;
  /** Where its name stands, inside the whole. */
  readonly selection: TextRange;
  readonly children: readonly OutlineItem[];
}

export type OutlineKind =
  | 'heading'
  | 'input'
  | 'block'
  | 'part'
  | 'node'
  | 'edge'
  | 'object'
  | 'key'
  | 'definition';

/** The parts of a file in their order, for the outline of an editor. Nothing where its text cannot be read at the moment. */
export async function outlineOf(project: EditorProject, file: string): Promise<readonly OutlineItem[]> {
  const text = await project.text(file);
  if (text === undefined || text.length > MAX_TEXT) return [];
  const [, read] = READERS.find(([pattern]) => pattern.test(file)) ?? [];
  return read === undefined ? [] : nested(read(file, text), text.length);
}

const MAX_TEXT = 2_000_000;
/** An editor shows no more. */
const MAX_ITEMS = 5_000;

/** A part as it is found: where it begins, and how deep. It goes on until another begins that is not deeper. */
interface FlatItem {
  readonly name: string;
  readonly detail?: string;
  readonly kind: OutlineKind;
  readonly level: number;
  readonly start: number;
  readonly selection: TextRange;
}

type ReadOutline = (file: string, text: string) => readonly FlatItem[];

const READERS: readonly (readonly [pattern: RegExp, read: ReadOutline])[] = [
  [/^sheets\/.+\.yaml$/, inYaml(sheetItems)],
  [/^texts\/.+\.yaml$/, inYaml((yaml, lines) => partItems(yaml, lines, ['parts'], 1))],
  [/^(?:texts\/.+|docs\/templates\/[^/]+|workflows\/.+)\.md$/, (_file, text) => headings(text)],
  [/^(?:(?:.*\/)?(?:team|[^/]+\.team)|teams\/.+)\.ya?ml$/, inYaml(graphItems)],
  [/^manifests\/.+\.(?:ya?ml|json)$/, manifestItems],
  [/^agents\/[a-z]+s\/[^/]+\.m?[jt]s$/, definitionItems],
  [/^(?:workflows\/[^/]+\/.+|bmad|agents|[^/]*graph)\.json$/, inYaml(graphItems)],
];

/** Items in the order of the text, each with what is deeper and follows it. */
function nested(found: readonly FlatItem[], end: number): readonly OutlineItem[] {
  const items = [...found].sort((a, b) => a.start - b.start || a.level - b.level).slice(0, MAX_ITEMS);
  /** The children of the item before `from`: all that is deeper than it. */
  const below = (from: number, level: number): readonly [readonly OutlineItem[], number] => {
    const made: OutlineItem[] = [];
    let at = from;
    for (let item = items[at]; item !== undefined && item.level > level; item = items[at]) {
      const [children, next] = below(at + 1, item.level);
      const { name, detail = '', kind, start, selection } = item;
      const until = Math.max(items[next]?.start ?? end, selection.end);
      made.push({
        ...{ name: name === '' ? '(no name)' : name, detail, kind, selection, children },
        range: { start: Math.min(start, selection.start), end: until },
      });
      at = next;
    }
    return [made, at];
  };
  return below(0, -1)[0];
}

function inYaml(items: (yaml: YamlSource, lines: TextLines) => readonly FlatItem[]): ReadOutline {
  return (file, text) => {
    const read = readYaml(file, text, 'E_SHEET');
    const yaml = read.ok ? read.value : read.rest;
    return yaml === undefined ? [] : items(yaml, linesOfText(text));
  };
}

type Path = readonly (string | number)[];
type Entries = Readonly<Record<string, unknown>>;

const entriesOf = (value: unknown): Entries =>
  typeof value === 'object' && value !== null ? (value as Entries) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? (value.split(/[\r\n]/, 1)[0]?.slice(0, 80) ?? '') : '';

/** The place of a value, as the name of a part that stands there. */
function itemAt(
  { place }: YamlSource,
  { offsetOf, text }: TextLines,
  path: Path,
  item: Omit<FlatItem, 'start' | 'selection'>,
  named: Path = path,
): FlatItem {
  const offset = (at: Path): number => {
    const { line = 1, column } = place(at);
    return offsetOf(line, column);
  };
  const start = offset(path);
  const from = offset(named);
  const at = /["']/.test(text.charAt(from)) ? from + 1 : from;
  const isSpelled = item.name !== '' && text.startsWith(item.name, at);
  return { ...item, start, selection: { start: at, end: isSpelled ? at + item.name.length : at } };
}

/** Inputs and blocks of a sheet, with the parts of each block. */
function sheetItems(yaml: YamlSource, lines: TextLines): readonly FlatItem[] {
  const { inputs, blocks } = entriesOf(yaml.value);
  const declared = Object.entries(entriesOf(inputs)).flatMap(([name, value]): FlatItem[] => {
    const selection = keyRange(yaml, lines, ['inputs', name]);
    const { trust } = entriesOf(value);
    const item = { name, detail: `input, ${textOf(trust)}`, kind: 'input', level: 1 } as const;
    return selection === undefined ? [] : [{ ...item, start: selection.start, selection }];
  });
  const told = listOf(blocks).flatMap((value, index): FlatItem[] => {
    const { name, role, history } = entriesOf(value);
    const path: Path = ['blocks', index];
    const shown = history === undefined ? textOf(name) : 'history';
    const item = { name: shown, detail: textOf(role), kind: 'block', level: 1 } as const;
    const own = itemAt(
      yaml,
      lines,
      path,
      item,
      history === undefined && name !== undefined ? [...path, 'name'] : path,
    );
    return [own, ...partItems(yaml, lines, [...path, 'parts'], 2)];
  });
  return [...declared, ...told];
}

const PARTS = ['text', 'include', 'input', 'template'] as const;

function partItems(yaml: YamlSource, lines: TextLines, top: Path, level: number): readonly FlatItem[] {
  const parts = top.reduce<unknown>((value, key) => entriesOf(value)[key], yaml.value);
  return listOf(parts).map((value, index) => {
    const entries = entriesOf(value);
    const key = PARTS.find((each) => Object.hasOwn(entries, each));
    const path: Path = [...top, index];
    const said = key === undefined ? '' : textOf(entries[key]);
    const item = { name: said, detail: key ?? '', kind: 'part', level } as const;
    return itemAt(yaml, lines, path, item, key === undefined ? path : [...path, key]);
  });
}

/** Nodes, agents, workflows and edges of a team or of a workflow package. */
function graphItems(yaml: YamlSource, lines: TextLines): readonly FlatItem[] {
  const whole = entriesOf(yaml.value);
  const named = (list: string, keys: readonly string[], detail: string): readonly FlatItem[] =>
    listOf(whole[list]).map((value, index) => {
      const entries = entriesOf(value);
      const key = keys.find((each) => typeof entries[each] === 'string') ?? '';
      const path: Path = [list, index];
      const item = {
        name: textOf(entries[key]),
        detail: textOf(entries[detail]),
        kind: 'node',
        level: 1,
      } as const;
      return itemAt(yaml, lines, path, item, key === '' ? path : [...path, key]);
    });
  const edges = listOf(whole.edges).map((value, index) => {
    const { from, to } = entriesOf(value);
    const item = { name: `${textOf(from)} → ${textOf(to)}`, kind: 'edge', level: 1 } as const;
    return itemAt(yaml, lines, ['edges', index], item);
  });
  return [
    ...named('nodes', ['alias', 'id'], 'role'),
    ...named('agents', ['id'], 'name'),
    ...named('workflows', ['id', 'workflow'], 'name'),
    ...edges,
  ];
}

/** Objects of manifests, with the keys of those that hold texts. */
function manifestItems(file: string, text: string): readonly FlatItem[] {
  const lines = linesOfText(text);
  const { documents } = readYamlDocuments(file, text, 'E_MANIFEST', { oldBooleans: true, merge: true });
  return documents.flatMap((yaml): readonly FlatItem[] => {
    const { kind, metadata } = entriesOf(yaml.value);
    const { name } = entriesOf(metadata);
    const item = { name: textOf(name), detail: textOf(kind), kind: 'object', level: 1 } as const;
    const own = itemAt(yaml, lines, [], item, name === undefined ? [] : ['metadata', 'name']);
    const keys = ['data', 'stringData'].flatMap((list) =>
      Object.keys(entriesOf(entriesOf(yaml.value)[list])).flatMap((key): FlatItem[] => {
        const selection = keyRange(yaml, lines, [list, key]);
        if (selection === undefined) return [];
        return [{ name: key, kind: 'key', level: 2, start: selection.start, selection }];
      }),
    );
    return [own, ...keys];
  });
}

/** What a file of code defines, with the names of other definitions in it. */
function definitionItems(file: string, text: string): readonly FlatItem[] {
  const names = namesOfDefinition(file, text);
  return names.map(({ name, kinds, range, isDefinition, isFile }) => ({
    ...{ name, detail: kinds.join(' or '), kind: 'definition', selection: range },
    level: isDefinition ? 1 : 2,
    start: isDefinition || isFile === true ? 0 : range.start,
  }));
}

/** Headings of Markdown, outside of code. */
function headings(text: string): readonly FlatItem[] {
  const found: FlatItem[] = [];
  let fence: string | undefined;
  for (const { index, 0: line } of text.matchAll(/[^\r\n]+/g)) {
    const [, ticks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      const isClosed = ticks?.startsWith(fence) && /^[ `~]*[ \t]*$/.test(line);
      if (isClosed) fence = undefined;
      continue;
    }
    if (ticks !== undefined) {
      fence = ticks;
      continue;
    }
    const [, marks = '', gap = '', name = ''] = /^( {0,3}#{1,6})([ \t]+)(\S.*?)[ \t]*$/.exec(line) ?? [];
    if (marks === '') continue;
    const start = index + marks.length + gap.length;
    const selection = { start, end: start + name.length };
    found.push({ name, kind: 'heading', level: marks.trim().length, start: index, selection });
  }
  return found;
}
