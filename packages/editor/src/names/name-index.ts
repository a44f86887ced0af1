import type { NameKind, NameUse } from './name-use.js';
import { hasNames, namesIn } from './names-in.js';

/** A name and the file that it stands in. */
export interface PlacedName extends NameUse {
  readonly file: string;
}

/** Every name of a project. */
export interface NameIndex {
  /** The text of a file is this now; undefined: it is gone. */
  readonly set: (file: string, text: string | undefined) => void;
  readonly at: (file: string, offset: number) => PlacedName | undefined;
  readonly of: (file: string) => readonly PlacedName[];
  /** Where what a name means is given its name. */
  readonly definitions: (name: NameUse & { readonly file: string }) => readonly PlacedName[];
  /** Every place that means the same, definitions included. */
  readonly same: (name: PlacedName) => readonly PlacedName[];
  /** The names of one kind, sorted; of one scope, where it is given. */
  readonly all: (kind: NameKind, scope?: string) => readonly string[];
  /** The inputs that a sheet declares, or that the sheets declare which reach a text. */
  readonly inputsFor: (file: string) => readonly string[];
  readonly files: () => readonly string[];
  readonly has: (file: string) => boolean;
}

interface IndexedFile {
  readonly text: string;
  readonly names: readonly PlacedName[];
  /** The names are those of an earlier text: this one cannot be read. Their places do not count. */
  readonly isOld: boolean;
}

export function createNameIndex(): NameIndex {
  const files = new Map<string, IndexedFile>();
  const byName = new Map<string, Set<PlacedName>>();
  const keysOf = ({ kinds, name }: NameUse): readonly string[] => kinds.map((kind) => `${kind} ${name}`);

  const set: NameIndex['set'] = (file, text) => {
    const before = files.get(file);
    if (before?.text === text) return;
    for (const each of before?.names ?? []) for (const key of keysOf(each)) byName.get(key)?.delete(each);
    files.delete(file);
    if (text === undefined || !hasNames(file)) return;
    const read = namesIn(file, text);
    const names = read?.map((use) => ({ ...use, file })) ?? before?.names ?? [];
    files.set(file, { text, names, isOld: read === undefined });
    for (const each of names) {
      for (const key of keysOf(each)) {
        const known = byName.get(key);
        if (known === undefined) byName.set(key, new Set([each]));
        else known.add(each);
      }
    }
  };

  const called = (use: NameUse): readonly PlacedName[] => [
    ...new Set(keysOf(use).flatMap((key) => [...(byName.get(key) ?? [])])),
  ];

  /** The texts that a file includes, at any depth, and itself. */
  const reachOf = (file: string): ReadonlySet<string> => {
    const reached = new Set([file]);
    for (const each of reached) {
      for (const { kinds, name, isDefinition } of files.get(each)?.names ?? []) {
        if (kinds[0] !== 'text' || isDefinition) continue;
        for (const text of [`texts/${name}.md`, `texts/${name}.yaml`]) if (files.has(text)) reached.add(text);
      }
    }
    return reached;
  };

  /** The sheets whose input a name is: the one that it stands in, or those that reach the text and declare it. */
  const sheetsOf = (use: NameUse & { readonly file: string }): readonly string[] => {
    if (use.scope !== '') return [use.scope];
    return called({ ...use, kinds: ['input'] })
      .filter((each) => each.isDefinition && reachOf(each.scope).has(use.file))
      .map(({ scope }) => scope);
  };

  const sameInput = (use: PlacedName): readonly PlacedName[] => {
    const all = called(use);
    const sheets = new Set(sheetsOf(use));
    const texts = new Set<string>(use.scope === '' ? [use.file] : []);
    // A text that two sheets include ties their inputs together.
    for (const sheet of sheets) {
      for (const file of reachOf(sheet)) {
        if (texts.has(file) || !all.some((each) => each.file === file && each.scope === '')) continue;
        texts.add(file);
        for (const { scope, isDefinition } of all) {
          if (isDefinition && !sheets.has(scope) && reachOf(scope).has(file)) sheets.add(scope);
        }
      }
    }
    return all.filter(({ scope, file }) => (scope === '' ? texts.has(file) : sheets.has(scope)));
  };

  const same: NameIndex['same'] = (use) => {
    if (use.kinds.includes('input')) return sameInput(use);
    const found = called(use).filter(({ scope }) => scope === use.scope);
    // A name that may be of several kinds means the one that is defined.
    const defined = found.find(({ isDefinition }) => isDefinition)?.kinds[0];
    return defined === undefined ? found : found.filter(({ kinds }) => kinds.includes(defined));
  };

  return {
    set,
    of: (file) => (files.get(file)?.isOld === true ? [] : (files.get(file)?.names ?? [])),
    at(file, offset) {
      const known = files.get(file);
      if (known === undefined || known.isOld) return undefined;
      return known.names.find(
        ({ range, isFile }) => isFile !== true && range.start <= offset && offset <= range.end,
      );
    },
    definitions(use) {
      if (use.kinds.includes('file')) {
        return files.has(use.name)
          ? [{ ...use, file: use.name, range: { start: 0, end: 0 }, isDefinition: true }]
          : [];
      }
      if (use.kinds.includes('input')) {
        const sheets = sheetsOf(use);
        return called(use).filter(({ isDefinition, scope }) => isDefinition && sheets.includes(scope));
      }
      return called(use).filter(({ isDefinition, scope }) => isDefinition && scope === use.scope);
    },
    same,
    all(kind, scope) {
      const names = [...files.values()].flatMap((file) =>
        file.names.filter(
          (each) =>
            each.isDefinition && each.kinds.includes(kind) && (scope === undefined || each.scope === scope),
        ),
      );
      return [...new Set(names.map(({ name }) => name))].sort();
    },
    inputsFor(file) {
      const sheets = [...files.keys()].filter(
        (each) =>
          each.startsWith('sheets/') &&
          (each === file || (file.startsWith('texts/') && reachOf(each).has(file))),
      );
      const names = sheets.flatMap(
        (sheet) => files.get(sheet)?.names.filter((each) => each.isDefinition) ?? [],
      );
      return [...new Set(names.filter(({ kinds }) => kinds[0] === 'input').map(({ name }) => name))].sort();
    },
    files: () => [...files.keys()],
    has: (file) => files.has(file),
  };
}
