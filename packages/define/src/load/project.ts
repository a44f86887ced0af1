import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import type { z } from 'zod';
import { agentShape, hookShape, modelShape, toolShape } from '../shape/other-shapes.js';
import { promptShape } from '../shape/prompt-shape.js';
import { problemAt, readShape } from '../shape/read-shape.js';
import { isRecord } from '../shape/values.js';
import { loadOutliner, type OutlineOf } from '../source/outline.js';
import { type SourceFile, sourceFile } from '../source/source-file.js';
import type { Catalog, DefinitionEntry } from './catalog.js';
import {
  type DefinitionFile,
  type DefinitionKind,
  type FoundFiles,
  findFiles,
  foundFiles,
  KINDS,
} from './files.js';
import { DEFAULT_LIMITS, type LoadLimits, loadFiles } from './host.js';
import type { FileOutcome, LoadFailure } from './protocol.js';

export interface ProjectOptions {
  /**
   * The project's folder as a `file:` URL with a slash at its end: where its own packages are looked for, and
   * what `import.meta.url` tells. Left out for a source that is not a folder, such as a revision.
   */
  readonly folder?: string;
  readonly limits?: Partial<LoadLimits>;
}

/** Loads every definition of a project: see `readProject`. */
export const loadProject = async (project: TextSource, options: ProjectOptions = {}): Promise<Catalog> =>
  (await readProject(project, options)).catalog;

/** A project that was read: what it defines, and all that it takes to have the same again. */
export interface ProjectRead {
  readonly catalog: Catalog;
  /** A file of the project as it was, however often it is asked for. */
  readonly read: ReadFile;
  readonly kept: () => KeptProject;
}

/** The texts of a project and what its files export. Plain JSON. */
export type KeptProject = {
  /** The code below `agents/`. */
  readonly texts: readonly (readonly [path: string, text: string])[];
  /** What it imports from elsewhere in the project; null: looked for, and not there. */
  readonly imports: readonly (readonly [path: string, text: string | null])[];
  readonly diagnostics: readonly Diagnostic[];
  readonly outcomes: readonly FileOutcome[];
};

/**
 * Loads every definition of a project by running its files, in a process with a clock. Never rejects: whatever is
 * wrong with a file is a diagnostic, and the other files still load. Of one that was kept no file is read or run.
 */
export async function readProject(
  project: TextSource,
  { kept, ...options }: ProjectOptions & { readonly kept?: KeptProject | undefined } = {},
): Promise<ProjectRead> {
  const found =
    kept === undefined ? await findFiles(project) : foundFiles(new Map(kept.texts), kept.diagnostics);
  const imports = new Map<string, string | undefined>(
    kept?.imports.map(([path, text]) => [path, text ?? undefined]),
  );
  const read = remembering(found.texts, imports, readerOf(project));
  const outcomes = kept?.outcomes ?? (await runFound(found, read, options));
  return {
    catalog: await catalogOf(found, outcomes),
    read,
    kept: () => ({
      texts: [...found.texts],
      imports: [...imports].map(([path, text]) => [path, text ?? null] as const),
      diagnostics: found.diagnostics,
      outcomes,
    }),
  };
}

/** Reads a file of a project; undefined when it cannot be read. */
export type ReadFile = (path: string) => Promise<string | undefined>;

const readerOf =
  (project: TextSource): ReadFile =>
  async (path) => {
    const text = await project.readText(path);
    return text.ok ? text.value : undefined;
  };

/** The same text for a path however often it is asked for. What had to be read is noted among the imports. */
function remembering(
  texts: ReadonlyMap<string, string>,
  imports: Map<string, string | undefined>,
  read: ReadFile,
): ReadFile {
  const asked = new Map<string, Promise<string | undefined>>();
  const note = async (path: string): Promise<string | undefined> => {
    const text = await read(path);
    imports.set(path, text);
    return text;
  };
  return (path) => {
    if (texts.has(path)) return Promise.resolve(texts.get(path));
    if (imports.has(path)) return Promise.resolve(imports.get(path));
    const pending = asked.get(path) ?? note(path);
    asked.set(path, pending);
    return pending;
  };
}

/** Runs the definitions of files that were read before; `read` answers for what they import from elsewhere. */
const runFound = (
  { files, texts }: FoundFiles,
  read: ReadFile,
  options: ProjectOptions,
): Promise<readonly FileOutcome[]> =>
  loadFiles({
    texts,
    files: files.map(({ path }) => path),
    folder: options.folder,
    read,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  });

/** The definitions of files, by what each of them exports. */
async function catalogOf(
  { files, texts, diagnostics }: FoundFiles,
  outcomes: readonly FileOutcome[],
): Promise<Catalog> {
  // The parser is loaded for those who have something to parse.
  const outlineOf: OutlineOf = files.length === 0 ? () => undefined : await loadOutliner();
  return collect(files, outcomes, { texts, diagnostics, outlineOf });
}

const SHAPES: Readonly<Record<DefinitionKind, z.ZodType<{ readonly name?: string; readonly id?: string }>>> =
  {
    model: modelShape,
    prompt: promptShape,
    tool: toolShape as never,
    hook: hookShape,
    agent: agentShape,
  };

function collect(
  files: readonly DefinitionFile[],
  outcomes: readonly FileOutcome[],
  found: Pick<FoundFiles, 'texts' | 'diagnostics'> & { readonly outlineOf: OutlineOf },
): Catalog {
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const byKind = new Map(KINDS.map((kind) => [kind, new Map<string, DefinitionEntry<never>>()]));
  const broken = new Map(KINDS.map((kind) => [kind, new Map<string, string>()]));
  const sketches: { [kind in DefinitionKind]: DefinitionEntry<never>[] } = {
    model: [],
    prompt: [],
    tool: [],
    hook: [],
    agent: [],
  };
  for (const [index, file] of files.entries()) {
    const source = sourceFile(file.path, found.texts.get(file.path) ?? '', found.outlineOf);
    const read = readOutcome(file, outcomes[index] as FileOutcome, source);
    diagnostics.push(...read.diagnostics);
    if (read.entry === undefined) {
      broken.get(file.kind)?.set(read.name, file.path);
      if (read.sketch !== undefined) sketches[file.kind].push(read.sketch);
      continue;
    }
    const entries = byKind.get(file.kind) as Map<string, DefinitionEntry<never>>;
    const first = entries.get(read.entry.name);
    if (guard('load.twice', first !== undefined)) {
      diagnostics.push(twice(read.entry, first as DefinitionEntry<never>));
      sketches[file.kind].push(read.entry);
    } else entries.set(read.entry.name, read.entry);
  }
  const of = (kind: DefinitionKind) => byKind.get(kind) as Map<string, DefinitionEntry<never>>;
  return {
    models: of('model'),
    prompts: of('prompt'),
    tools: of('tool'),
    hooks: of('hook'),
    agents: of('agent'),
    broken,
    sketches: {
      models: sketches.model,
      prompts: sketches.prompt,
      tools: sketches.tool,
      agents: sketches.agent,
    },
    diagnostics,
  };
}

interface ReadOutcome {
  /** The definition's name, or the one that its file suggests. */
  readonly name: string;
  readonly entry?: DefinitionEntry<never>;
  /** What fits of a definition that does not. */
  readonly sketch?: DefinitionEntry<never>;
  readonly diagnostics: readonly Diagnostic[];
}

function readOutcome(file: DefinitionFile, outcome: FileOutcome, source: SourceFile): ReadOutcome {
  const { kind, stem: name } = file;
  if (outcome.failure !== undefined) return { name, diagnostics: [loadProblem(file, outcome.failure)] };
  const article = `${kind === 'agent' ? 'an' : 'a'} ${kind}`;
  const exportProblem = (message: string): ReadOutcome => ({
    name,
    diagnostics: [problemAt(source, [], { code: 'E_DEFINITION_EXPORT', severity: 'error', message })],
  });
  const definer = `define${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  if (outcome.exports !== undefined) {
    const others =
      outcome.exports.length === 0 ? 'nothing' : `only ${outcome.exports.slice(0, 5).join(', ')}`;
    return exportProblem(
      `The file exports ${others}. Make ${article} its default export: export default ${definer}({ … })`,
    );
  }
  if (guard('load.kind', outcome.kind !== undefined && outcome.kind !== kind)) {
    return exportProblem(
      `The file exports a definition of kind ${outcome.kind}, and its folder is for ${kind}s`,
    );
  }
  if (!isRecord(outcome.data) || '$fn' in outcome.data || '$other' in outcome.data) {
    return exportProblem(`The default export is not ${article}. Write: export default ${definer}({ … })`);
  }
  const { data, sketch, diagnostics } = readShape(source, SHAPES[kind], outcome.data);
  const given = kind === 'tool' ? name : (outcome.data[kind === 'hook' ? 'id' : 'name'] ?? name);
  const called = typeof given === 'string' ? given : name;
  if (data === undefined || hasErrors(diagnostics)) {
    const partial = { ...WITHOUT[kind], ...(isRecord(sketch) ? sketch : {}) } as never;
    return { name: called, sketch: { kind, name: called, data: partial, source }, diagnostics };
  }
  return { name: called, entry: { kind, name: called, data: data as never, source }, diagnostics };
}

/** What stands for the lists and maps of a definition that do not fit. A text that does not is a hole. */
const WITHOUT: Readonly<Record<DefinitionKind, object>> = {
  model: { fallbacks: [] },
  prompt: { prompt: new Array(1), tools: [], variables: [], env: {} },
  tool: { variables: [] },
  hook: {},
  agent: { variables: [], env: {}, hooks: [] },
};

function loadProblem({ kind, path }: DefinitionFile, failure: LoadFailure): Diagnostic {
  const { reason, message, file, line = 1, column = 1 } = failure;
  const from = file === path ? '' : ` (loaded by ${path})`;
  const code = reason === 'timeout' || reason === 'exit' ? 'E_DEFINITION_STOPS' : 'E_DEFINITION_LOAD';
  return {
    code,
    severity: 'error',
    message: `The ${kind} did not load${from}: ${withoutPaths(message)}`,
    file,
    line,
    column,
  };
}

/** What a file throws may name folders of this machine: paths of the project are relative, all others go. */
const withoutPaths = (message: string): string =>
  message.replaceAll(
    /(?<![\w/:.])(?:file:\/\/)?\/(?:[^\s'"():,/]+\/)+[^\s'"():,]*|\b[A-Za-z]:\\[^\s'"]+/g,
    '[path]',
  );

function twice(entry: DefinitionEntry<unknown>, first: DefinitionEntry<unknown>): Diagnostic {
  const path = entry.kind === 'tool' ? [] : [entry.kind === 'hook' ? 'id' : 'name'];
  const message = `The ${entry.kind} "${entry.name}" is defined twice: here and in ${first.source.path}`;
  return problemAt(entry.source, path, { code: 'E_NAME_TWICE', severity: 'error', message });
}
