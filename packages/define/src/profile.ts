import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Composed, ComposeHow, Loaded, Profile } from '@cuebook/profile';
import { type Diagnostic, nearest, type Origin, type Piece } from '@cuebook/prompt';
import { commandLine, hint } from '@cuebook/prompt/hint';
import { z } from 'zod';
import { checkProject, problemsOfAgent, problemsOfPrompt } from './check/check-project.js';
import { includeClosure } from './check/includes.js';
import { missingServed } from './check/served.js';
import { textsOfSides, textsReached } from './check/texts.js';
import { declarationsIn, secretDeclaration } from './check/variables.js';
import { serversListed } from './compose/served.js';
import { composeStep, type StepInput } from './compose/step.js';
import { type Catalog, type CatalogServers, type DefinitionEntry, definitionsOf } from './load/catalog.js';
import { readNames } from './load/names.js';
import { type KeptProject, type ProjectOptions, type ProjectRead, readProject } from './load/project.js';
import type { AgentData } from './shape/other-shapes.js';
import type { PromptData } from './shape/prompt-shape.js';
import { TEXTS } from './shipped-texts.js';

const values = (layer: string) =>
  z
    .record(z.string(), z.string())
    .default({})
    .describe(`A variable of the ${layer}: NAME=VALUE or NAME=@FILE`);

const input = z.object({
  input: z
    .string()
    .optional()
    .describe('The user message of this turn: TEXT, @FILE, or @- for standard input'),
  env: values('thread'),
  accountEnv: values('account'),
  instanceEnv: values('instance'),
});

type Input = z.infer<typeof input>;

const NOTHING: Input = { env: {}, accountEnv: {}, instanceEnv: {} };

/** One definition, and the project that it is part of. */
export interface DefinitionSource<Data> {
  readonly catalog: Catalog;
  readonly entry: DefinitionEntry<Data>;
  readonly problems: readonly Diagnostic[];
  /** The project as it was read, for whoever calls its functions. */
  readonly kept: () => KeptProject;
  /** It does not fit as a whole, and nothing can be composed. */
  readonly isPartial?: boolean;
}

export interface ProfileOptions extends ProjectOptions {
  /**
   * How `find` learns the names of targets. `read` looks at what is written and runs nothing: for completion in
   * a shell, where nobody has asked for a project's code to run. `run` by default.
   */
  readonly names?: 'run' | 'read';
  /**
   * What is known of the MCP servers of a project. `wanted` are the servers whose tools are to be shown: none of them
   * when the project is checked, so that nothing is started for that. Left out: nobody asks.
   */
  readonly servers?: (project: TextSource, wanted: readonly string[]) => Promise<CatalogServers>;
}

export interface DefineProfiles {
  readonly prompt: Profile<DefinitionSource<PromptData>, typeof input>;
  readonly agent: Profile<DefinitionSource<AgentData>, typeof input>;
}

/**
 * The profiles of typed definitions: `prompt:NAME` and `agent:NAME` in `agents/`. A project's files are loaded
 * once for each text source; open the folder again to see what has changed in it.
 */
export function createDefineProfiles(options: ProfileOptions = {}): DefineProfiles {
  const projects = new WeakMap<TextSource, Promise<Project>>();
  const open = (source: TextSource): Promise<Project> => {
    const known = projects.get(source);
    if (known !== undefined) return known;
    const opened = readProject(source, options).then(async (read) => {
      const isServed = options.servers && serversListed(read.catalog.prompts.values()).length > 0;
      return toProject(read, isServed ? await options.servers?.(source, []) : undefined);
    });
    projects.set(source, opened);
    return opened;
  };
  /** A definition with the tools of the servers that its request tells of. */
  const served = async <Data>(
    source: TextSource,
    loaded: Loaded<DefinitionSource<Data>>,
    promptOf: (source: DefinitionSource<Data>) => DefinitionEntry<PromptData> | undefined,
  ): Promise<Loaded<DefinitionSource<Data>>> => {
    const prompt = loaded.ok ? promptOf(loaded.value) : undefined;
    if (!loaded.ok || prompt === undefined || options.servers === undefined) return loaded;
    const wanted = serversListed([prompt]);
    if (wanted.length === 0) return loaded;
    const servers = await options.servers(source, wanted);
    const catalog = { ...loaded.value.catalog, servers };
    const diagnostics = [...loaded.diagnostics, ...servers.diagnostics, ...missingServed(catalog, prompt)];
    return { ok: true, value: { ...loaded.value, catalog }, diagnostics };
  };
  const namesOf = async (source: TextSource, kind: 'prompt' | 'agent'): Promise<readonly string[]> => {
    if (guard('names.read', options.names === 'read')) return readNames(source, kind);
    const { catalog } = await open(source);
    const partial = catalog.sketches[`${kind}s`].map(({ name }) => name);
    return [...new Set([...definitionsOf(catalog, kind).keys(), ...partial])].sort();
  };
  const prompt: DefineProfiles['prompt'] = {
    prefix: 'prompt',
    family: 'definitions',
    summary: 'a typed prompt definition (agents/prompts/*.ts)',
    examples: [commandLine`render prompt:reviewer --instance-env TEAM=checkout`],
    input,
    find: (project) => namesOf(project, 'prompt'),
    problems: async (project) => (await open(project)).diagnostics,
    load: async (project, name) => {
      const opened = await open(project);
      const loaded = found(opened, { kind: 'prompt', name }, (entry: DefinitionEntry<PromptData>) =>
        problemsOfPrompt(opened.catalog, opened.byFile, entry),
      );
      return served(project, loaded, ({ entry }) => entry);
    },
    check: ({ problems }) => problems,
    files: ({ catalog, entry }) => filesOf(catalog, [entry]),
    texts: ({ catalog, entry }) => textsReached(catalog, entry),
    sample: ({ catalog, entry }) => ({ ...NOTHING, env: openVariables(catalog, entry) }),
    compose: ({ catalog, entry, isPartial }, given) =>
      isPartial === true ? NOT_COMPOSED : composition({ catalog, prompt: entry }, given),
  };
  const agent: DefineProfiles['agent'] = {
    prefix: 'agent',
    family: 'definitions',
    summary: "an agent's first step (agents/agents/*.ts)",
    examples: [commandLine`render agent:desk --input Hello --json`],
    input,
    find: (project) => namesOf(project, 'agent'),
    load: async (project, name) => {
      const opened = await open(project);
      const loaded = found(opened, { kind: 'agent', name }, (entry: DefinitionEntry<AgentData>) =>
        problemsOfAgent(opened.catalog, opened.byFile, entry),
      );
      return served(project, loaded, ({ catalog, entry }) => catalog.prompts.get(entry.data.sideA.prompt));
    },
    check: ({ problems }) => problems,
    files: ({ catalog, entry }) => [entry.source.path, ...filesOf(catalog, promptsOf(catalog, entry.data))],
    texts: ({ catalog, entry }) => textsOfSides(catalog, entry, promptsOf(catalog, entry.data)),
    sample: ({ catalog, entry }) => {
      const first = catalog.prompts.get(entry.data.sideA?.prompt);
      const env = first === undefined ? {} : openVariables(catalog, first, entry);
      return { ...NOTHING, input: sampleInput().text, env };
    },
    compose: ({ catalog, entry, isPartial }, given, how) => {
      const first = catalog.prompts.get(entry.data.sideA?.prompt);
      // The check has told of an agent whose prompt is missing.
      if (first === undefined || isPartial === true) return NOT_COMPOSED;
      return composition({ catalog, prompt: first, agent: entry }, given, how);
    },
  };
  return { prompt, agent };
}

interface Project extends Pick<ProjectRead, 'catalog' | 'kept'> {
  readonly diagnostics: readonly Diagnostic[];
  readonly byFile: ReadonlyMap<string, readonly Diagnostic[]>;
}

function toProject({ catalog: read, kept }: ProjectRead, servers: CatalogServers | undefined): Project {
  const catalog = servers === undefined ? read : { ...read, servers };
  const diagnostics = [...checkProject(catalog), ...(servers?.diagnostics ?? [])];
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const file = diagnostic.file ?? '';
    const list = byFile.get(file);
    if (list === undefined) byFile.set(file, [diagnostic]);
    else list.push(diagnostic);
  }
  return { catalog, kept, diagnostics, byFile };
}

/** What keeps it from being composed has been told. */
const NOT_COMPOSED: Composed = { ok: false, diagnostics: [] };

/** The files of prompts, of all that they include, and of their models. */
function filesOf(catalog: Catalog, prompts: readonly DefinitionEntry<PromptData>[]): readonly string[] {
  const all = prompts.flatMap((prompt) => includeClosure(catalog, prompt));
  const models = all.flatMap(({ data }) => catalog.models.get(data.model) ?? []);
  return [...new Set([...all, ...models].map(({ source }) => source.path))];
}

const promptsOf = (catalog: Catalog, { sideA, sideB }: AgentData): readonly DefinitionEntry<PromptData>[] =>
  [sideA, sideB].flatMap((side) => (side && catalog.prompts.get(side.prompt)) ?? []);

function found<K extends 'prompt' | 'agent', Data>(
  { catalog, byFile, kept }: Project,
  { kind, name }: { readonly kind: K; readonly name: string },
  problemsOf: (entry: DefinitionEntry<Data>) => readonly Diagnostic[],
): Loaded<DefinitionSource<Data>> {
  const entries = definitionsOf(catalog, kind) as unknown as ReadonlyMap<string, DefinitionEntry<Data>>;
  const entry = entries.get(name);
  if (entry !== undefined)
    return { ok: true, value: { catalog, kept, entry, problems: problemsOf(entry) }, diagnostics: [] };
  const file = catalog.broken.get(kind)?.get(name);
  if (file !== undefined) {
    const own = byFile.get(file) ?? [];
    const partial = catalog.sketches[`${kind}s`].find(({ source }) => source.path === file);
    if (own.length > 0) {
      const sketch = partial as DefinitionEntry<Data> | undefined;
      return {
        ok: false,
        diagnostics: own,
        ...(sketch === undefined
          ? {}
          : { partial: { catalog, kept, entry: sketch, problems: [], isPartial: true } }),
      };
    }
  }
  const meant = nearest(name, entries.keys());
  const advice =
    file !== undefined
      ? `Its file ${file} did not load: run ${hint`check`}`
      : meant === undefined
        ? `${kind === 'agent' ? 'Agents' : 'Prompts'} live in agents/${kind}s/`
        : `Did you mean ${kind}:${meant}?`;
  const message = `No ${kind} is called "${name}". ${advice}`;
  return { ok: false, diagnostics: [{ code: 'E_TARGET', severity: 'error', message }] };
}

/** What stands in for the words of a person, where an agent is shown and nobody has said anything. */
export const sampleInput = (): Piece => TEXTS.piece('conversation.md#sample.input');

function composition(
  step: Pick<StepInput, 'catalog' | 'prompt' | 'agent'>,
  given: Input,
  { isSample = false }: ComposeHow = {},
): Composed {
  const { input: said, env: thread, accountEnv: account, instanceEnv: instance } = given;
  const origin: Origin = isSample ? sampleInput().origin : { kind: 'input', ref: 'input' };
  const current = said === undefined ? [] : [{ role: 'user' as const, text: said, origin }];
  const composed = composeStep({
    ...step,
    env: { thread, account, instance },
    conversation: { earlier: [], current },
  });
  if (!composed.ok) return composed;
  const { blocks, tools, params, sources } = composed.value;
  return { ok: true, value: { blocks, tools, params, sources, capabilities: [] } };
}

/** Stand-ins for the variables of the text that no definition gives a value to. */
function openVariables(
  catalog: Catalog,
  prompt: DefinitionEntry<PromptData>,
  agent?: DefinitionEntry<AgentData>,
): Record<string, string> {
  const names = includeClosure(catalog, prompt).flatMap(({ data }) =>
    typeof data.prompt === 'string'
      ? []
      : data.prompt.flatMap((part) => (part.type === 'env' ? [part.property] : [])),
  );
  if (names.length === 0) return {};
  const declarations = declarationsIn(catalog);
  const open = [...new Set(names)].filter(
    (name) =>
      !Object.hasOwn(prompt.data.env, name) &&
      !Object.hasOwn(agent?.data.env ?? {}, name) &&
      secretDeclaration(declarations, name) === undefined,
  );
  return Object.fromEntries(open.map((name) => [name, `(${name})`]));
}
