import { pathToFileURL } from 'node:url';
import {
  type AgentData,
  type DefinitionSource,
  type HookKind,
  type KeptProject,
  type LiveProject,
  openLiveProject,
  type PromptData,
  type StepMessage,
} from '@cuebook/define';
import {
  type AnyProfile,
  type ComposedTarget,
  composeTarget,
  requireProfile,
  type Target,
  type TargetResult,
  type Workbench,
  watchedSource,
} from '@cuebook/profile';
import type { Diagnostic, LeakContext } from '@cuebook/prompt';
import { composeFirst } from './first.js';

/** A definition of a project, by its profile, and the bench that it was composed on. */
export interface CalledDefinition {
  readonly profile: AnyProfile;
  readonly target: Target;
  readonly bench: RunBench;
}

/** What composing as a run does needs of a project. */
export type RunBench = Workbench & { readonly folder: string; readonly context: LeakContext };

type Values = Readonly<Record<string, string>>;

/** What a definition takes, as its profile has parsed it. */
interface Given {
  readonly input?: string;
  readonly env: Values;
  readonly accountEnv: Values;
  readonly instanceEnv: Values;
}

/**
 * The request of a definition as a run composes it for its first turn: with hooks, masks and limits. It is the same
 * function that a thread calls, so what is shown is what is sent.
 */
export async function composeAsRun(
  { profile, bench, target }: CalledDefinition,
  composed: ComposedTarget,
  input: unknown,
  { open, earlier = [] }: AsRunOptions = {},
): Promise<TargetResult> {
  // The same source as composing reads from: the project is loaded once.
  const loaded = await profile.load(watchedSource(bench.project).source, target.name);
  if (!loaded.ok) return { ok: false, diagnostics: loaded.diagnostics };
  const { catalog, entry, kept } = loaded.value as DefinitionSource<PromptData | AgentData>;
  const given = profile.input.parse(input ?? profile.sample(loaded.value)) as unknown as Given;
  const kind = profile.prefix === 'agent' ? 'agent' : 'prompt';
  const hooks = hooksOf(catalog, kind, entry.name);
  const own = hooks.length > 0 && open === undefined ? await openLive(bench, kept()) : undefined;
  const found = hooks.length === 0 ? quiet(catalog) : (own ?? (await open?.(kept())) ?? quiet(catalog));
  const { servers } = catalog;
  const live = servers === undefined ? found : { ...found, catalog: { ...found.catalog, servers } };
  try {
    const { input: text, env, accountEnv, instanceEnv } = given;
    const { context, hash } = bench;
    const first = await composeFirst({
      live,
      of: { kind, name: entry.name },
      ...(text === undefined ? {} : { text }),
      isSample: input === undefined,
      env,
      accountEnv,
      instanceEnv,
      context,
      hash,
      earlier,
    });
    if (!first.ok) return { ok: false, diagnostics: [{ severity: 'error', ...first.error }] };
    const { request, step, diagnostics } = first.value;
    return {
      ok: true,
      value: {
        ...composed,
        blocks: step.blocks,
        tools: request.tools,
        params: request.params,
        prompt: request.prompt,
        request,
        diagnostics: [...composed.diagnostics, ...diagnostics, ...notRun(catalog, hooks, earlier)],
      },
    };
  } finally {
    await own?.close();
  }
}

export interface AsRunOptions {
  /** The project with its functions, opened when a hook is to run; left out: opened and closed here. */
  readonly open?: (kept: KeptProject) => Promise<LiveProject>;
  /** A conversation that has gone before. */
  readonly earlier?: readonly StepMessage[];
}

/** The functions of a project, as of the source that the bench reads from, or as it was read before. */
export const openLive = (
  { project, folder }: Pick<RunBench, 'project' | 'folder'>,
  kept?: KeptProject,
): Promise<LiveProject> => openLiveProject(project, { folder: pathToFileURL(`${folder}/`).href, kept });

/** Composes targets of a bench as their runs do, with one start of the project's functions for all. */
export interface ThreadComposer {
  compose(text: string, input?: unknown): Promise<TargetResult>;
  /** What is said of a target's hooks, and of what they make of it, when it is composed with its author's examples. */
  saidOf(text: string): Promise<readonly Diagnostic[]>;
  close(): Promise<void>;
}

export function runComposer(bench: RunBench): ThreadComposer {
  let live: Promise<LiveProject> | undefined;
  const open = (kept: KeptProject): Promise<LiveProject> => {
    live ??= openLive(bench, kept);
    return live;
  };
  const compose: ThreadComposer['compose'] = async (text, input) => {
    const composed = await composeTarget(bench, text, input);
    const found = requireProfile(bench.profiles, text);
    if (!composed.ok || !found.ok || !isDefinition(found)) return composed;
    return composeAsRun({ ...found, bench }, composed.value, input, { open });
  };
  return {
    compose,
    async saidOf(text) {
      const found = requireProfile(bench.profiles, text);
      if (!found.ok || !isDefinition(found)) return [];
      const loaded = await found.profile.load(watchedSource(bench.project).source, found.target.name);
      if (!loaded.ok) return [];
      const { catalog, entry } = loaded.value as DefinitionSource<PromptData | AgentData>;
      const kind = found.profile.prefix === 'agent' ? 'agent' : 'prompt';
      if (hooksOf(catalog, kind, entry.name).length === 0) return [];
      const composed = await compose(text);
      if (composed.ok) return composed.value.diagnostics.filter(({ code }) => code.startsWith('W_HOOK'));
      return composed.diagnostics.map((each) => ({
        ...each,
        message: `${text} with its hooks: ${each.message}`,
      }));
    },
    close: async () => (await live)?.close(),
  };
}

/** Whether a run composes the target by itself. */
export const isDefinition = ({ profile: { prefix } }: Pick<CalledDefinition, 'profile'>): boolean =>
  prefix === 'agent' || prefix === 'prompt';

type Catalog = LiveProject['catalog'];

/** The hooks of a target: code of the project that has a say in what is told. */
function hooksOf(catalog: Catalog, kind: 'agent' | 'prompt', name: string): readonly string[] {
  const agent = kind === 'agent' ? catalog.agents.get(name)?.data : undefined;
  const prompt = catalog.prompts.get(agent?.sideA.prompt ?? name)?.data;
  return prompt?.hooks ?? agent?.hooks ?? [];
}

/** Hooks that have their say when a message or a result is stored, which a conversation that is handed in was not. */
function notRun(
  catalog: Catalog,
  hooks: readonly string[],
  earlier: readonly StepMessage[],
): readonly Diagnostic[] {
  if (earlier.length === 0) return [];
  return hooks.flatMap((hook): Diagnostic[] => {
    const kind = catalog.hooks.get(hook)?.data.hook;
    if (kind === undefined || !STORING.has(kind)) return [];
    const message = `The hook "${hook}" (${kind}) is not run for the conversation that is handed in, which counts as stored.`;
    return [{ code: 'W_HOOK_NOT_RUN', severity: 'warning', message }];
  });
}

const STORING: ReadonlySet<string> = new Set<HookKind>([
  'before_create_message',
  'after_create_message',
  'before_update_message',
  'after_update_message',
  'before_store_tool_result',
  'after_tool_call_success',
  'after_tool_call_failure',
]);

/** A project of which no function is called. */
const quiet = (catalog: Catalog): LiveProject => ({
  catalog,
  check: async () => ({ ok: false, problems: [{ path: '', message: 'nothing is run here' }] }),
  approval: async () => ({ ask: true }),
  callTool: async () => ({ kind: 'error', text: 'nothing is run here', attachments: [] }),
  callHook: async () => ({ kind: 'failed', reason: 'throw', text: 'nothing is run here' }),
  written: async () => [],
  kept: () => ({ texts: [], imports: [], diagnostics: [], outcomes: [] }),
  close: async () => undefined,
});
