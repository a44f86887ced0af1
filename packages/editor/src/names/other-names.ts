import { readYaml, readYamlDocuments, type YamlSource } from '@cuebook/yaml';
import { linesOfText, type TextLines } from '../text/lines.js';
import { depthsAt, maskCode, stringsInList, withoutList } from './code-mask.js';
import type { NameKind, NameUse } from './name-use.js';
import { fileName, namesInTemplate } from './sheet-names.js';
import { keyRange, stringsBelow, type YamlString } from './yaml-strings.js';

/** A role template: its file's name, and that of its preamble. */
export function namesOfRole(file: string, text: string): readonly NameUse[] {
  const name = /([^/]+)\.md$/.exec(file)?.[1] ?? file;
  const own = fileName('role', name);
  const found = /^\[template\][^\S\n]*\n(?:[^\S\n]*\S.*\n)*?[^\S\n]*name[^\S\n]*=[^\S\n]*"([^"\n]*)"/.exec(
    text,
  );
  if (found === null) return [own];
  const end = found[0].length - 1;
  const said = found[1] ?? '';
  const range = { start: end - said.length, end };
  return [own, { kinds: ['role'], name: said, scope: '', range, isDefinition: false }];
}

/** A team file: roles, and nodes that edges join. */
export function namesOfTeam(file: string, text: string): readonly NameUse[] | undefined {
  return inYaml(file, text, ({ path, value, range }) => {
    const [list, , key] = path;
    const use = (kind: NameKind, isDefinition = false): readonly NameUse[] =>
      range === undefined
        ? []
        : [{ kinds: [kind], name: value, scope: kind === 'role' ? '' : file, range, isDefinition }];
    if (list === 'nodes' && key === 'alias') return use('alias', true);
    if (list === 'nodes' && key === 'role') return use('role');
    if (list === 'nodes' && key === 'workspace' && path[3] === 'with') return use('alias');
    return list === 'edges' && (key === 'from' || key === 'to') ? use('alias') : [];
  });
}

/** A file of a workflow package: manifest, graph or agents. Paths are relative to the package. */
export function namesOfPackage(file: string, text: string, folder: string): readonly NameUse[] | undefined {
  const prefix = folder === '.' ? '' : `${folder}/`;
  return inYaml(file, text, ({ path, value, range }) => {
    if (range === undefined) return [];
    const [list, , key] = path;
    const use = (kind: NameKind, isDefinition = false): readonly NameUse[] => [
      { kinds: [kind], name: value, scope: folder, range, isDefinition },
    ];
    const toFile: readonly NameUse[] = [
      { kinds: ['file'], name: `${prefix}${value}`, scope: '', range, isDefinition: false },
    ];
    if (list === 'entryNodeId') return use('step');
    if (list === 'nodes' && path.length === 3) {
      if (key === 'id') return use('step', true);
      if (key === 'agentId') return use('speaker');
      if (key === 'file') return toFile;
    }
    if (list === 'edges' && (key === 'from' || key === 'to')) return use('step');
    if (list === 'agents' && key === 'id' && path.length === 3) return use('speaker', true);
    const isPath = (list === 'entry' && path.length === 2) || (list === 'workflows' && path.length === 3);
    const last = path.at(-1);
    return isPath && (last === 'workflow' || last === 'graph' || last === 'agents') ? toFile : [];
  });
}

/** A step file: the node and the agent that its frontmatter names. */
export function namesOfStep(_file: string, text: string, folder: string): readonly NameUse[] {
  const [head = ''] = /^---[^\S\n]*\n(?:(?!---).*\n){0,200}/.exec(text) ?? [];
  const found: NameUse[] = [];
  for (const { index, 0: whole, 1: key, 2: name = '' } of head.matchAll(
    /^(?:[ \t-]*)(nodeId|agentId|to):[ \t]*["']?([\w.-]+)/gm,
  )) {
    const end = index + whole.length;
    const range = { start: end - name.length, end };
    found.push({
      kinds: [key === 'agentId' ? 'speaker' : 'step'],
      name,
      scope: folder,
      range,
      isDefinition: false,
    });
  }
  return found;
}

/** Manifests: ConfigMaps and Secrets with their keys, the sources of Agents, and what templates include. */
export function namesOfManifest(file: string, text: string): readonly NameUse[] {
  const lines = linesOfText(text);
  const { documents } = readYamlDocuments(file, text, 'E_MANIFEST', { oldBooleans: true, merge: true });
  return documents.flatMap((yaml) => namesOfObject(yaml, lines));
}

interface ObjectHead {
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
  readonly spec?: { readonly declarative?: { readonly promptTemplate?: { readonly dataSources?: unknown } } };
}

function namesOfObject(yaml: YamlSource, lines: TextLines): readonly NameUse[] {
  const head = Object(yaml.value ?? {}) as ObjectHead;
  const namespace = typeof head.metadata?.namespace === 'string' ? head.metadata.namespace : 'default';
  const name = String(head.metadata?.name ?? '');
  const source = `${namespace}/${name}`;
  const strings = stringsBelow(yaml, lines);
  const named = (
    kind: NameKind,
    full: string,
    each: YamlString,
    isDefinition: boolean,
  ): readonly NameUse[] =>
    each.range === undefined
      ? []
      : [{ kinds: [kind], name: full, scope: '', range: each.range, isDefinition }];
  if (head.kind === 'ConfigMap' || head.kind === 'Secret') {
    return strings.flatMap((each): readonly NameUse[] => {
      const [first, second] = each.path;
      if (first === 'metadata' && second === 'name') return named('source', source, each, true);
      if (each.path.length !== 2 || (first !== 'data' && first !== 'stringData')) return [];
      const range = keyRange(yaml, lines, each.path);
      const full = `${source} ${String(second)}`;
      return range === undefined
        ? []
        : [{ kinds: ['fragment'], name: full, scope: '', range, isDefinition: true }];
    });
  }
  if (head.kind !== 'Agent') return [];
  const written = head.spec?.declarative?.promptTemplate?.dataSources;
  const sources = new Map<string, string>();
  for (const each of Array.isArray(written) ? (written as unknown[]) : []) {
    const { name: of, alias } = Object(each ?? {}) as { readonly name?: unknown; readonly alias?: unknown };
    if (typeof of === 'string')
      sources.set(typeof alias === 'string' && alias !== '' ? alias : of, `${namespace}/${of}`);
  }
  return strings.flatMap((each): readonly NameUse[] => {
    const path = each.path.join('.');
    if (/^spec\.declarative\.promptTemplate\.dataSources\.\d+\.name$/.test(path))
      return named('source', `${namespace}/${each.value}`, each, false);
    if (path !== 'spec.declarative.systemMessage') return [];
    return namesInTemplate(yaml, lines, each.path).flatMap(
      ({ kind, name: said, range }): readonly NameUse[] => {
        const cut = said.indexOf('/');
        const of = sources.get(said.slice(0, cut));
        if (kind !== 'include' || of === undefined) return [];
        const key = { start: range.start + cut + 1, end: range.end };
        return [
          {
            kinds: ['fragment'],
            name: `${of} ${said.slice(cut + 1)}`,
            scope: '',
            range: key,
            isDefinition: false,
          },
        ];
      },
    );
  });
}

/** A file of test cases: the definition that it names as its target. */
export function namesOfCases(file: string, text: string): readonly NameUse[] | undefined {
  return inYaml(file, text, ({ path, value, range }) => {
    const [, kind, name] = /^(prompt|agent):([^@\s]+)$/.exec(value) ?? [];
    if (path.length !== 1 || path[0] !== 'target' || kind === undefined || name === undefined) return [];
    if (range === undefined) return [];
    const at = { start: range.end - name.length, end: range.end };
    return [{ kinds: [kind as NameKind], name, scope: '', range: at, isDefinition: false }];
  });
}

/** Definitions: what a file defines, and the names of others in it. Read from what is written; nothing runs. */
export function namesOfDefinition(file: string, text: string): readonly NameUse[] {
  const [, folder = '', stem = ''] = /^agents\/([a-z]+)s\/([^/]+)\.m?[jt]s$/.exec(file) ?? [];
  const own = DEFINED.find((kind) => kind === folder);
  const found: NameUse[] = [];
  let isNamed = false;
  // Variables have names too, and so may have what stands in a list: the own name stands in the definition itself.
  const code = withoutList(maskCode(text.slice(0, MAX_CODE)), /(?<![\w.])variables\s{0,20}:\s{0,40}\[/g);
  const literals = [...code.matchAll(LITERALS)];
  const depths = depthsAt(
    code,
    literals.map(({ index }) => index),
  );
  for (const [at, { index, 0: whole, groups = {} }] of literals.entries()) {
    const { key = '', value, listKey } = groups;
    if (listKey !== undefined) {
      const kinds = LISTS[listKey] ?? [];
      for (const { name, start } of stringsInList(code, index + whole.length)) {
        const range = { start, end: start + name.length };
        found.push({ kinds, name, scope: '', range, isDefinition: false });
      }
      continue;
    }
    if (value === undefined) continue;
    const end = index + whole.length - 1;
    const isTop = (depths[at] as number) <= OWN_DEPTH;
    const isOwn: boolean =
      !isNamed && own !== undefined && own !== 'tool' && isTop && key === (own === 'hook' ? 'id' : 'name');
    isNamed ||= isOwn;
    // `prompt` of a prompt itself holds its words, and that of an include a name.
    const isWords = own === 'prompt' && key === 'prompt' && isTop;
    const kinds = isOwn ? [own as NameKind] : isWords ? [] : (KEYS[own ?? '']?.[key] ?? []);
    const range = { start: end - value.length, end };
    if (kinds.length > 0) found.push({ kinds, name: value, scope: '', range, isDefinition: isOwn });
  }
  if (own === 'tool') found.push(fileName('tool', stem));
  return found;
}

const MAX_CODE = 1_000_000;
/** The brackets of `definePrompt({`. */
const OWN_DEPTH = 2;
const DEFINED = ['prompt', 'agent', 'model', 'tool', 'hook'] as const;
/** What a definition may call by name. */
export const CALLABLE: readonly NameKind[] = ['tool', 'prompt', 'agent'];

/** Keys whose value names a definition, by the kind of the file. */
const KEYS: Readonly<Record<string, Readonly<Record<string, readonly NameKind[]>>>> = {
  prompt: { model: ['model'], prompt: ['prompt'], name: CALLABLE },
  agent: { prompt: ['prompt'], stopTool: CALLABLE },
};
const LISTS: Readonly<Record<string, readonly NameKind[]>> = {
  tools: CALLABLE,
  hooks: ['hook'],
  fallbacks: ['model'],
};

const LITERALS =
  /(?<![\w.])(?:(?<key>name|id|model|prompt|stopTool)\s{0,20}:\s{0,40}["'](?<value>[^"'\n]{0,200})["']|(?<listKey>tools|hooks|fallbacks)\s{0,20}:\s{0,40}\[)/g;

function inYaml(
  file: string,
  text: string,
  namesOf: (string: YamlString) => readonly NameUse[],
): readonly NameUse[] | undefined {
  const read = readYaml(file, text, 'E_SHEET');
  const yaml = read.ok ? read.value : read.rest;
  return yaml === undefined ? undefined : stringsBelow(yaml, linesOfText(text)).flatMap(namesOf);
}
