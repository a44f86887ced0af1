import type { AdoptDiagnostic } from './diagnostic.js';
import { quote } from './diagnostic.js';
import type { DraftBlock, DraftPart, DraftSheet, DraftText, ImportDraft } from './draft.js';

/**
 * What several files gave, as one. A text that two files include is one text. Of two sheets with one name the second is
 * called after its format too, and that is reported; one that says the same is left out.
 */
export function mergeAdopted(all: readonly ImportDraft[]): ImportDraft {
  const diagnostics: AdoptDiagnostic[] = [];
  const sheets = new Map<string, DraftSheet>();
  const texts = new Map<string, DraftText>();
  for (const one of all) {
    diagnostics.push(...once(one.diagnostics));
    const renamed = one.sheets.some(({ name }) => sheets.has(name))
      ? withoutClash(one, sheets, diagnostics)
      : one;
    for (const sheet of renamed.sheets) sheets.set(sheet.name, sheet);
    for (const text of renamed.texts) {
      const before = texts.get(text.name);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(text) && 'parts' in before)
        continue;
      texts.set(text.name, text);
    }
  }
  const cases = all.flatMap((each) => each.cases);
  return { sheets: [...sheets.values()], texts: [...texts.values()], cases, diagnostics };
}

/** Each line once: a text that several prompts include is read for each of them. */
const once = (diagnostics: readonly AdoptDiagnostic[]): readonly AdoptDiagnostic[] => [
  ...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values(),
];

interface Source {
  readonly file: string;
  readonly format: string;
}

const sourceOf = ({ meta }: DraftSheet): Source => meta.source as Source;

function withoutClash(
  one: ImportDraft,
  taken: ReadonlyMap<string, DraftSheet>,
  diagnostics: AdoptDiagnostic[],
): ImportDraft {
  const names = new Map<string, string>();
  for (const sheet of one.sheets) {
    const other = taken.get(sheet.name);
    if (other === undefined) continue;
    const { file, format } = sourceOf(sheet);
    let name = `${sheet.name}-${format}`;
    for (let count = 2; taken.has(name); count += 1) name = `${sheet.name}-${format}-${count}`;
    names.set(sheet.name, name);
    const message = `${sourceOf(other).file} is the sheet ${quote(sheet.name)} already; this file became ${quote(name)}`;
    diagnostics.push({ code: 'W_IMPORT_NAME', severity: 'info', file, line: 1, column: 1, message });
  }
  const nameOf = (name: string): string => names.get(name) ?? name;
  const part = (each: DraftPart): DraftPart => ('include' in each ? { include: nameOf(each.include) } : each);
  const block = (each: DraftBlock): DraftBlock =>
    'history' in each ? each : { ...each, parts: each.parts.map(part) };
  return {
    ...one,
    sheets: one.sheets.map((sheet) => ({
      ...sheet,
      name: nameOf(sheet.name),
      blocks: sheet.blocks.map(block),
    })),
    texts: one.texts.map((text) =>
      'parts' in text
        ? { name: nameOf(text.name), parts: text.parts.map(part) }
        : { ...text, name: nameOf(text.name) },
    ),
    cases: one.cases.map((each) => ({ ...each, name: nameOf(each.name) })),
  };
}
