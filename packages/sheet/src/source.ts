import { describeFileError, type FileError, type TextSource } from '@cuebook/files';
import { diagnosticAt, type Loaded, nearest, readShape, readYaml, type YamlSource } from '@cuebook/profile';
import type { Diagnostic, Labels, Part } from '@cuebook/prompt';
import { type Sheet, sheetSchema, textSchema } from './schema.js';

/** A sheet and every text it can reach. */
export interface SheetSource {
  readonly name: string;
  readonly sheet: Sheet;
  readonly yaml: YamlSource;
  readonly texts: ReadonlyMap<string, readonly Part[]>;
}

/** Text in the project's own files: written by its authors, the same until the next build. */
export const AUTHORED: Labels = { trust: 'author', secrecy: 'public', volatility: 'build' };

/** The names of the sheets in `sheets/`, subfolders included, sorted. */
export async function findSheets(project: TextSource): Promise<readonly string[]> {
  return (await filesBelow(project, 'sheets')).flatMap(
    (path) => /^sheets\/(.+)\.yaml$/.exec(path)?.[1] ?? [],
  );
}

/** Reads a sheet and all texts it includes, at any depth. */
export async function loadSheet(project: TextSource, name: string): Promise<Loaded<SheetSource>> {
  const file = `sheets/${name}.yaml`;
  const text = await project.readText(file);
  if (!text.ok) return { ok: false, diagnostics: [await missingSheet(project, name, text.error)] };
  const yaml = readYaml(file, text.value, 'E_SHEET');
  if (!yaml.ok) return yaml;
  const sheet = readShape(yaml.value, sheetSchema, 'E_SHEET');
  if (!sheet.ok) return sheet;
  const texts = await loadTexts(project, includesOf(sheet.value, yaml.value));
  if (texts.diagnostics.length > 0) return { ok: false, diagnostics: texts.diagnostics };
  return {
    ok: true,
    value: { name, sheet: sheet.value, yaml: yaml.value, texts: texts.value },
    diagnostics: [],
  };
}

/** An include, and how to point at it. */
interface Wanted {
  readonly name: string;
  readonly report: (problem: Pick<Diagnostic, 'code' | 'severity' | 'message'>) => Diagnostic;
}

const includesOf = (sheet: Sheet, yaml: YamlSource): readonly Wanted[] =>
  sheet.blocks.flatMap(({ parts }, b) => wantedIn(parts, yaml, ['blocks', b, 'parts']));

const wantedIn = (
  parts: readonly object[],
  yaml: YamlSource,
  path: readonly PropertyKey[],
): readonly Wanted[] =>
  parts.flatMap((part, p): Wanted[] => {
    if (!('include' in part)) return [];
    return [
      {
        name: String(part.include),
        report: (problem) => diagnosticAt(yaml, [...path, p, 'include'], problem),
      },
    ];
  });

interface LoadedTexts {
  readonly value: ReadonlyMap<string, readonly Part[]>;
  readonly diagnostics: readonly Diagnostic[];
}

async function loadTexts(project: TextSource, first: readonly Wanted[]): Promise<LoadedTexts> {
  const texts = new Map<string, readonly Part[]>();
  const diagnostics: Diagnostic[] = [];
  const queue = [...first];
  const asked = new Set<string>();
  for (let wanted = queue.shift(); wanted !== undefined; wanted = queue.shift()) {
    if (asked.has(wanted.name)) continue;
    asked.add(wanted.name);
    const loaded = await loadText(project, wanted);
    if (!loaded.ok) {
      diagnostics.push(...loaded.diagnostics);
      continue;
    }
    texts.set(wanted.name, loaded.value.parts);
    queue.push(...loaded.value.includes);
  }
  return { value: texts, diagnostics };
}

interface LoadedText {
  readonly parts: readonly Part[];
  readonly includes: readonly Wanted[];
}

async function loadText(project: TextSource, wanted: Wanted): Promise<Loaded<LoadedText>> {
  const { name, report } = wanted;
  const [plain, structured] = await Promise.all([
    project.readText(`texts/${name}.md`),
    project.readText(`texts/${name}.yaml`),
  ]);
  if (plain.ok && structured.ok) {
    const message = `Both texts/${name}.md and texts/${name}.yaml are there. Keep one`;
    return { ok: false, diagnostics: [report({ code: 'E_TEXT_TWICE', severity: 'error', message })] };
  }
  if (structured.ok) return readTextParts(name, structured.value);
  if (plain.ok) {
    const origin = { kind: 'file', ref: `texts/${name}.md`, line: 1, column: 1 } as const;
    return {
      ok: true,
      value: { parts: [{ text: plain.value, origin, ...AUTHORED }], includes: [] },
      diagnostics: [],
    };
  }
  const error = plain.error.code === 'E_FILE_NOT_FOUND' ? structured.error : plain.error;
  return { ok: false, diagnostics: [report(await missingText(project, name, error))] };
}

function readTextParts(name: string, text: string): Loaded<LoadedText> {
  const yaml = readYaml(`texts/${name}.yaml`, text, 'E_SHEET');
  if (!yaml.ok) return yaml;
  const shape = readShape(yaml.value, textSchema, 'E_SHEET');
  if (!shape.ok) return shape;
  const parts = shape.value.parts.flatMap((part, p): readonly Part[] =>
    textParts(part, yaml.value, ['parts', p]),
  );
  return {
    ok: true,
    value: { parts, includes: wantedIn(shape.value.parts, yaml.value, ['parts']) },
    diagnostics: [],
  };
}

/** A text or include part of a YAML file as the kernel takes it. */
export function textParts(
  part: { readonly text: string } | { readonly include: string },
  yaml: YamlSource,
  path: readonly PropertyKey[],
): readonly Part[] {
  if ('include' in part) return [{ include: part.include, at: yaml.place([...path, 'include']) }];
  return yaml.pieces([...path, 'text'], AUTHORED);
}

async function missingSheet(project: TextSource, name: string, error: FileError): Promise<Diagnostic> {
  if (error.code !== 'E_FILE_NOT_FOUND') {
    return {
      code: error.code,
      severity: 'error',
      message: describeFileError(error),
      file: `sheets/${name}.yaml`,
    };
  }
  const meant = nearest(name, await findSheets(project));
  const hint = meant === undefined ? 'Sheets live in sheets/NAME.yaml' : `Did you mean sheet:${meant}?`;
  return { code: 'E_TARGET', severity: 'error', message: `No sheet is called "${name}". ${hint}` };
}

async function missingText(
  project: TextSource,
  name: string,
  error: FileError,
): Promise<Pick<Diagnostic, 'code' | 'severity' | 'message'>> {
  if (error.code !== 'E_FILE_NOT_FOUND')
    return { code: error.code, severity: 'error', message: describeFileError(error) };
  const names = (await filesBelow(project, 'texts')).flatMap(
    (path) => /^texts\/(.+)\.(?:md|yaml)$/.exec(path)?.[1] ?? [],
  );
  const meant = nearest(name, names);
  const hint = meant === undefined ? `Write it in texts/${name}.md` : `Did you mean "${meant}"?`;
  return { code: 'E_INCLUDE_UNKNOWN', severity: 'error', message: `No text is called "${name}". ${hint}` };
}

/** The files below a folder; a folder that cannot be read has none. */
async function filesBelow(project: TextSource, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of project.walk(folder)) if (path.ok) paths.push(path.value);
  return paths;
}
