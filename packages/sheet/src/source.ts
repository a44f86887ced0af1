import { describeFileError, type FileError, type TextSource } from '@cuebook/files';
import type { Loaded } from '@cuebook/profile';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { diagnosticAt, readShape, readYaml, type YamlSource } from '@cuebook/yaml';
import { AUTHORED, messagesOf, type OpenPart, openParts, type PlacedPart, placedParts } from './part.js';
import { type Sheet, sheetSchema, textSchema } from './schema.js';
import { sketchSheet, sketchTextParts } from './sketch.js';
import { includesIn, problemAt } from './template/parse.js';

/** A sheet and every text it can reach. */
export interface SheetSource {
  readonly name: string;
  readonly sheet: Sheet;
  readonly yaml: YamlSource;
  readonly texts: ReadonlyMap<string, readonly OpenPart[]>;
  /** Its own file and those of its texts. */
  readonly files: readonly string[];
}

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
  const source = yaml.ok ? yaml.value : yaml.rest;
  if (source === undefined) return { ok: false, diagnostics: yaml.diagnostics };
  const shape = readShape(source, sheetSchema, 'E_SHEET');
  const sheet = shape.ok ? shape.value : sketchSheet(shape.sketch, source.value);
  const texts = await loadTexts(project, includesOf(sheet, source));
  const diagnostics = [
    ...yaml.diagnostics,
    ...shape.diagnostics,
    ...texts.diagnostics,
    ...(await schemaProblem(sheet, source)),
  ];
  const value = { name, sheet, yaml: source, texts: texts.value, files: [file, ...texts.files] };
  return diagnostics.length > 0
    ? { ok: false, diagnostics, partial: value }
    : { ok: true, value, diagnostics: [] };
}

/** An answer is asked for in JSON Schema. What knows it is loaded when a sheet asks for one. */
async function schemaProblem({ answer }: Sheet, yaml: YamlSource): Promise<readonly Diagnostic[]> {
  if (answer === undefined) return [];
  const { schemaFault } = await import('@cuebook/profile/answer-schema');
  const fault = schemaFault(answer.schema);
  if (fault === undefined) return [];
  const message = `answer.schema is no JSON Schema: ${fault}`;
  return [diagnosticAt(yaml, ['answer', 'schema'], { code: 'E_SHEET', severity: 'error', message })];
}

/** An include, and how to point at it. */
interface Wanted {
  readonly name: string;
  readonly report: (problem: Pick<Diagnostic, 'code' | 'severity' | 'message'>) => Diagnostic;
}

const includesOf = (sheet: Sheet, yaml: YamlSource): readonly Wanted[] =>
  messagesOf(sheet).flatMap(({ parts }) => wantedIn(parts, yaml));

const wantedIn = (parts: readonly PlacedPart[], yaml: YamlSource): readonly Wanted[] =>
  parts.flatMap((placed): readonly Wanted[] =>
    openParts(placed, yaml).flatMap((part) =>
      includesIn(part).map(({ include, at }) => ({
        name: include,
        report: (problem) => ({ ...problemAt(at, problem.code, problem.message), ...problem }),
      })),
    ),
  );

interface LoadedTexts {
  /** One that could not be read is there, and empty: it has been told. */
  readonly value: ReadonlyMap<string, readonly OpenPart[]>;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadTexts(project: TextSource, first: readonly Wanted[]): Promise<LoadedTexts> {
  const texts = new Map<string, readonly OpenPart[]>();
  const diagnostics: Diagnostic[] = [];
  const files: string[] = [];
  const queue = [...first];
  const asked = new Set<string>();
  for (let at = 0; at < queue.length; at += 1) {
    const wanted = queue[at] as Wanted;
    if (asked.has(wanted.name)) continue;
    asked.add(wanted.name);
    const loaded = await loadText(project, wanted);
    diagnostics.push(...loaded.diagnostics);
    texts.set(wanted.name, loaded.parts);
    files.push(...loaded.files);
    queue.push(...loaded.includes);
  }
  return { value: texts, files, diagnostics };
}

/** A text as far as it could be read. */
interface LoadedText {
  readonly parts: readonly OpenPart[];
  readonly includes: readonly Wanted[];
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadText(project: TextSource, { name, report }: Wanted): Promise<LoadedText> {
  const [md, yaml] = [`texts/${name}.md`, `texts/${name}.yaml`];
  const [plain, structured] = await Promise.all([project.readText(md), project.readText(yaml)]);
  if (structured.ok) {
    const read = readTextParts(yaml, structured.value);
    if (!plain.ok) return read;
    const problem = report({
      code: 'E_TEXT_TWICE',
      severity: 'error',
      message: `Both ${md} and ${yaml} are there. Keep one`,
    });
    return { ...read, files: [md, yaml], diagnostics: [problem, ...read.diagnostics] };
  }
  if (plain.ok) {
    const origin = { kind: 'file', ref: md, line: 1, column: 1 } as const;
    return {
      parts: [{ text: plain.value, origin, ...AUTHORED }],
      includes: [],
      files: [md],
      diagnostics: [],
    };
  }
  const error = plain.error.code === 'E_FILE_NOT_FOUND' ? structured.error : plain.error;
  return {
    parts: [],
    includes: [],
    files: [],
    diagnostics: [report(await missingText(project, name, error))],
  };
}

function readTextParts(file: string, text: string): LoadedText {
  const yaml = readYaml(file, text, 'E_SHEET');
  const source = yaml.ok ? yaml.value : yaml.rest;
  if (source === undefined) return { parts: [], includes: [], files: [file], diagnostics: yaml.diagnostics };
  const shape = readShape(source, textSchema, 'E_SHEET');
  const found = placedParts(shape.ok ? shape.value.parts : sketchTextParts(shape.sketch), ['parts']);
  return {
    parts: found.flatMap((part) => openParts(part, source)),
    includes: wantedIn(found, source),
    files: [file],
    diagnostics: [...yaml.diagnostics, ...shape.diagnostics],
  };
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
