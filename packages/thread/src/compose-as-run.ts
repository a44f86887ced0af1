import { pathToFileURL } from 'node:url';
import {
  type AgentData,
  type DefinitionSource,
  type LiveProject,
  openLiveProject,
  type PromptData,
} from '@cuebook/define';
import {
  type AnyProfile,
  type ComposedTarget,
  type Target,
  type TargetResult,
  type Workbench,
  watchedSource,
} from '@cuebook/profile';
import type { LeakContext } from '@cuebook/prompt';
import { composeFirst } from './first.js';

/** A definition of a project, by its profile, and the bench that it was composed on. */
export interface CalledDefinition {
  readonly profile: AnyProfile;
  readonly target: Target;
  readonly bench: Workbench & { readonly folder: string; readonly context: LeakContext };
}

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
  opened?: LiveProject,
): Promise<TargetResult> {
  // The same source as composing reads from: the project is loaded once.
  const loaded = await profile.load(watchedSource(bench.project).source, target.name);
  if (!loaded.ok) return { ok: false, diagnostics: loaded.diagnostics };
  const { catalog, entry } = loaded.value as DefinitionSource<PromptData | AgentData>;
  const given = profile.input.parse(input ?? profile.sample(loaded.value)) as unknown as Given;
  const kind = profile.prefix === 'agent' ? 'agent' : 'prompt';
  const live =
    opened ??
    (hasHooks(catalog, kind, entry.name)
      ? await openLiveProject(bench.project, { folder: pathToFileURL(`${bench.folder}/`).href })
      : quiet(catalog));
  try {
    const { input: text, env, accountEnv, instanceEnv } = given;
    const { context, hash } = bench;
    const first = await composeFirst({
      live,
      of: { kind, name: entry.name },
      ...(text === undefined ? {} : { text }),
      env,
      accountEnv,
      instanceEnv,
      context,
      hash,
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
        diagnostics: [...composed.diagnostics, ...diagnostics],
      },
    };
  } finally {
    if (opened === undefined) await live.close();
  }
}

/** Whether a run composes the target by itself. */
export const isDefinition = ({ profile: { prefix } }: Pick<CalledDefinition, 'profile'>): boolean =>
  prefix === 'agent' || prefix === 'prompt';

type Catalog = LiveProject['catalog'];

/** Whether code of the project has a say in the request. */
function hasHooks(catalog: Catalog, kind: 'agent' | 'prompt', name: string): boolean {
  const agent = kind === 'agent' ? catalog.agents.get(name)?.data : undefined;
  const prompt = catalog.prompts.get(agent?.sideA.prompt ?? name)?.data;
  return (prompt?.hooks ?? agent?.hooks ?? []).length > 0;
}

/** A project of which no function is called. */
const quiet = (catalog: Catalog): LiveProject => ({
  catalog,
  check: async () => ({ ok: false, problems: [{ path: '', message: 'nothing is run here' }] }),
  approval: async () => ({ ask: true }),
  callTool: async () => ({ kind: 'error', text: 'nothing is run here', attachments: [] }),
  callHook: async () => ({ kind: 'failed', reason: 'throw', text: 'nothing is run here' }),
  written: async () => [],
  close: async () => undefined,
});
