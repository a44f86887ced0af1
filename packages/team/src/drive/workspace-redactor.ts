import type { JsonValue, Redactor, Replacement } from '@cuebook/prompt';

/** What stands for the folder of a node in everything that is said to it, and about it. */
export const WORKSPACE = '@workspace';

/** The same redactor for an agent that works in a folder: where that folder is named, `@workspace` stands. */
export function workspaceRedactor(base: Redactor, folder: string): Redactor {
  const find = (text: string): readonly Replacement[] => {
    const own = placesOf(text, folder);
    if (own.length === 0) return base.find(text);
    const others = base.find(own.reduce(blank, text));
    const isApart = others.every(({ start, end }) =>
      own.every((each) => end <= each.start || each.end <= start),
    );
    if (!isApart) return base.find(text);
    return [...own, ...others].sort((a, b) => a.start - b.start);
  };
  return {
    find,
    redactText(text) {
      const replacements = find(text);
      return { text: replaceAll(text, replacements), replacements };
    },
    redactValue: (value) =>
      base.redactValue(mapTexts(value, (text) => replaceAll(text, placesOf(text, folder)))),
    leaks: (text) => base.leaks(text),
  };
}

/** One redactor a folder, for the folders used last: who keeps what a redactor cleaned knows it by its identity. */
export function workspaceRedactors(base: Redactor): (folder: string) => Redactor {
  const kept = new Map<string, Redactor>();
  return (folder) => {
    const redactor = kept.get(folder) ?? workspaceRedactor(base, folder);
    kept.delete(folder);
    kept.set(folder, redactor);
    const [oldest] = kept.keys();
    if (kept.size > MAX_FOLDERS && oldest !== undefined) kept.delete(oldest);
    return redactor;
  };
}

const MAX_FOLDERS = 256;

/** Where a text names the folder, or something in it. */
function placesOf(text: string, folder: string): readonly Replacement[] {
  const places: Replacement[] = [];
  for (let start = text.indexOf(folder); start !== -1; start = text.indexOf(folder, start + 1)) {
    const end = start + folder.length;
    // A longer name that only begins so is another folder.
    const isWhole = !/[\w.-]/.test(text.charAt(end)) && !/[\w./-]/.test(text.charAt(start - 1));
    if (isWhole) places.push({ start, end, text: WORKSPACE, kind: 'root', known: true });
  }
  return places;
}

/** The same length, so that places behind it stay where they are. */
const blank = (text: string, { start, end }: Replacement): string =>
  `${text.slice(0, start)}${'x'.repeat(end - start)}${text.slice(end)}`;

const replaceAll = (text: string, replacements: readonly Replacement[]): string =>
  [...replacements]
    .reverse()
    .reduce((sum, { start, end, text: put }) => sum.slice(0, start) + put + sum.slice(end), text);

/** A value with other texts in it, keys included. */
export function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: JsonValue) => mapTexts(each, map));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [map(key), mapTexts(each, map)]));
}
