import { guard } from '@cuebook/guard';
import type { AdoptDiagnostic } from './diagnostic.js';
import { quote } from './diagnostic.js';
import type { DraftBlock, DraftCases, DraftPart, DraftSheet, DraftText, ImportDraft } from './draft.js';

/**
 * What several files gave, as one. A text that two files include is one text; another text of the same name gets a name
 * of its own. Of two sheets with one name the second is called after its format too. Both are reported.
 */
export function mergeAdopted(all: readonly ImportDraft[]): ImportDraft {
  const diagnostics: AdoptDiagnostic[] = [];
  const sheets = new Map<string, DraftSheet>();
  const texts = new Map<string, DraftText>();
  const cases: DraftCases[] = [];
  for (const one of all) {
    diagnostics.push(...once(one.diagnostics));
    const named = one.sheets.some(({ name }) => sheets.has(fileKey(name)))
      ? withoutClash(one, sheets, diagnostics)
      : one;
    const renamed = withOwnTexts(named, texts, diagnostics);
    cases.push(...renamed.cases);
    for (const sheet of renamed.sheets) sheets.set(fileKey(sheet.name), sheet);
    for (const text of renamed.texts) texts.set(fileKey(text.name), text);
  }
  return { sheets: [...sheets.values()], texts: [...texts.values()], cases, diagnostics };
}

/** Names that differ in small and large letters are one file on many disks. */
const fileKey = (name: string): string =>
  guard('adopt.merge.case', name !== name.toLowerCase()) ? name.toLowerCase() : name;

/** Each line once: a text that several prompts include is read for each of them. */
const once = (diagnostics: readonly AdoptDiagnostic[]): readonly AdoptDiagnostic[] => [
  ...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values(),
];

interface Source {
  readonly file: string;
  readonly format: string;
}

const sourceOf = ({ meta }: DraftSheet): Source => meta.source as Source;

/** Texts that say something else than those of the same name get another name. */
function withOwnTexts(
  one: ImportDraft,
  taken: ReadonlyMap<string, DraftText>,
  diagnostics: AdoptDiagnostic[],
): ImportDraft {
  const own = new Set(one.texts.map(({ name }) => fileKey(name)));
  const names = new Map<string, string>();
  for (const text of one.texts) {
    const other = taken.get(fileKey(text.name));
    if (other === undefined || JSON.stringify(other) === JSON.stringify(text)) continue;
    let count = 2;
    const isTaken = (name: string): boolean => taken.has(fileKey(name)) || own.has(fileKey(name));
    while (isTaken(`${text.name}-${count}`)) count += 1;
    names.set(text.name, `${text.name}-${count}`);
    const [sheet] = one.sheets;
    const message = `Another file has a text ${quote(text.name)} with other words; that of this file became ${quote(`${text.name}-${count}`)}`;
    if (sheet !== undefined)
      diagnostics.push({
        ...{ code: 'W_IMPORT_NAME', severity: 'info', line: 1, column: 1 },
        file: sourceOf(sheet).file,
        message,
      } as const);
  }
  return names.size === 0 ? one : renamedIncludes(one, (name) => names.get(name) ?? name);
}

/** The same with other names for texts, wherever they are included. */
function renamedIncludes(one: ImportDraft, nameOf: (name: string) => string): ImportDraft {
  const part = (each: DraftPart): DraftPart => ('include' in each ? { include: nameOf(each.include) } : each);
  const block = (each: DraftBlock): DraftBlock =>
    'history' in each ? each : { ...each, parts: each.parts.map(part) };
  return {
    ...one,
    sheets: one.sheets.map((sheet) => ({ ...sheet, blocks: sheet.blocks.map(block) })),
    texts: one.texts.map((text) =>
      'parts' in text
        ? { name: nameOf(text.name), parts: text.parts.map(part) }
        : { ...text, name: nameOf(text.name) },
    ),
  };
}

function withoutClash(
  one: ImportDraft,
  taken: ReadonlyMap<string, DraftSheet>,
  diagnostics: AdoptDiagnostic[],
): ImportDraft {
  const names = new Map<string, string>();
  for (const sheet of one.sheets) {
    const other = taken.get(fileKey(sheet.name));
    if (other === undefined) continue;
    const { file, format } = sourceOf(sheet);
    let name = `${sheet.name}-${format}`;
    for (let count = 2; taken.has(fileKey(name)); count += 1) name = `${sheet.name}-${format}-${count}`;
    names.set(sheet.name, name);
    const message = `${sourceOf(other).file} is the sheet ${quote(other.name)} already; this file became ${quote(name)}`;
    diagnostics.push({ code: 'W_IMPORT_NAME', severity: 'info', file, line: 1, column: 1, message });
  }
  const nameOf = (name: string): string => names.get(name) ?? name;
  // A sheet of an instruction file has its words in a text of the same name.
  const own = renamedIncludes(one, nameOf);
  return {
    ...own,
    sheets: own.sheets.map((sheet) => ({ ...sheet, name: nameOf(sheet.name) })),
    cases: one.cases.map((each) => {
      const target = each.target.replace(/^sheet:(.*)$/s, (_, name: string) => `sheet:${nameOf(name)}`);
      return { ...each, name: nameOf(each.name), target };
    }),
  };
}
