import type { Driver, EffectIntent, Engine, Observation, Outcome, ToolCallInput } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { TurnPlace, WorkspaceError, Workspaces } from '@cuebook/workspace';
import { isMaterialTool } from '../call/tools.js';
import { isServedName } from '../capability/served.js';
import { workRights } from '../capability/work-rights.js';
import { inFolder } from '../graph/workspace.js';
import type { TeamCommand } from '../run/command.js';
import type { NodeState, TeamState } from '../run/state.js';
import { bringFolder, type HeldParts, inHeldFolder } from './held-folder.js';
import { callMaterial, type MaterialParts } from './material.js';
import type { Roles } from './roles.js';
import type { RunServers } from './run-servers.js';
import { sweepWorkspace } from './sweep.js';

/** What is done with the workspace of a node. */
export interface WorkParts extends MaterialParts, HeldParts {
  readonly engine: () => Pick<Engine<TeamState, TeamCommand>, 'read'>;
  readonly workspaces: Workspaces;
  readonly roles: Roles;
  readonly servers: Pick<RunServers, 'call'>;
  /** The effect is done: what may start a turn comes next. */
  readonly after: (run: RunId) => Promise<void>;
}

/** Does `tool.call`, `diff.take`, `diff.set-aside` and `verify.run`. */
export function createWorkDrivers(parts: WorkParts): Readonly<Record<string, Driver>> {
  const { workspaces } = parts;
  const driver = (perform: Perform): Driver => ({
    timeoutMs: WORK_MS,
    async perform(effect, context) {
      const run = context.run as RunId;
      const { signal, attempt } = context;
      const node = await findNode(parts, run, effect);
      if (node === undefined) return { ok: false, error: GONE };
      const outcome = await inHeldFolder(parts, { run, node: node.node, context }, async () => {
        if (attempt > 1 && node.node.workspace !== 'shared')
          await sweepWorkspace(workspaces.folderOf(run, inFolder(node.node)));
        return perform({ run, node, effect, signal });
      });
      await parts.after(run);
      return outcome;
    },
  });
  const inFolderOfNode = driver(async ({ run, node, effect, signal }) => {
    const { tool, input } = effect.input as ToolCallInput;
    if (isMaterialTool(tool)) {
      const { state } = await parts.engine().read(run);
      return callMaterial(parts, { run, state, signal }, { tool, input });
    }
    const rights = workRights(node.node, node.work?.globalMode ?? 'PLANNING');
    const call = { tool, input, rights };
    return outcomeOf(await workspaces.callTool({ run, node: inFolder(node.node) }, call, { signal }));
  });
  return {
    'tool.call': {
      ...inFolderOfNode,
      async perform(effect, context) {
        const call = effect.input as ToolCallInput;
        if (!isServedName(call.tool)) return inFolderOfNode.perform(effect, context);
        const run = context.run as RunId;
        const outcome = await parts.servers.call(run, call, context.signal);
        await parts.after(run);
        return outcome;
      },
      observe: async (effect, context) => {
        const run = context.run as RunId;
        const node = await findNode(parts, run, effect);
        const there = node && (await bringFolder(parts, { run, node: node.node, context }));
        return node && there?.ok ? observeTool(parts, run, node, effect) : { state: 'unknown' };
      },
    },
    'diff.take': driver(async ({ run, node, effect, signal }) => {
      const taken = await workspaces.take(placeOf(run, node, effect), { signal });
      const files = taken.ok ? taken.value.files : 'unknown';
      if (files === 'unknown' || files.length > 0) {
        const folder = await openFolder(workspaces.folderOf(run, inFolder(node.node)), forAgents(workspaces));
        const shared = node.node.workspace === 'shared';
        if (folder.ok)
          await parts.roles.propose(run, {
            ...{ effect: effect.id, node: node.node.alias ?? node.node.id, files, shared },
            source: folder.value,
          });
      }
      return outcomeOf(taken);
    }),
    'diff.set-aside': {
      ...driver(async ({ run, node, effect, signal }) => {
        const { files } = effect.input as { readonly files: readonly string[] };
        return outcomeOf(await workspaces.setAside(placeOf(run, node, effect), files, { signal }));
      }),
      observe: async (effect, context) => {
        const run = context.run as RunId;
        const node = await findNode(parts, run, effect);
        if (node === undefined) return { state: 'unknown' };
        const there = await bringFolder(parts, { run, node: node.node, context });
        const found = there.ok ? await workspaces.findAside(placeOf(run, node, effect)) : there;
        if (!found.ok) return { state: 'unknown' };
        return found.value === undefined
          ? { state: 'not-done' }
          : { state: 'done', outcome: { ok: true, output: found.value as JsonValue } };
      },
    },
    'verify.run': driver(async ({ run, node, effect, signal }) => {
      const { commands } = effect.input as { readonly commands: readonly string[] };
      return outcomeOf(await workspaces.verify(placeOf(run, node, effect), commands, { signal }));
    }),
  };
}

type Perform = (at: {
  readonly run: RunId;
  readonly node: NodeState;
  readonly effect: EffectIntent;
  readonly signal: AbortSignal;
}) => Promise<Outcome>;

/** Commands have a time limit of their own, one after another; this one is for what hangs all the same. */
const WORK_MS = 2 * 60 * 60_000;

/** Paths that agents name are looked at as agents may. */
const forAgents = ({ home }: Pick<Workspaces, 'home'>) =>
  ({ access: 'ro', withhold: { from: 'agent', home } }) as const;

const GONE = { code: 'E_TEAM_NODE', message: 'The run has no such node.' };

/** Effects of work name their node by their lane. */
async function findNode(
  { engine }: WorkParts,
  run: RunId,
  { lane }: EffectIntent,
): Promise<NodeState | undefined> {
  const { state } = await engine().read(run);
  const id = lane.split('/')[1] ?? '';
  return Object.hasOwn(state.nodes, id) ? state.nodes[id] : undefined;
}

const placeOf = (run: RunId, { node }: NodeState, { input }: EffectIntent): TurnPlace => ({
  run,
  node: inFolder(node),
  turn: (input as { readonly turn: number }).turn,
});

const outcomeOf = (result: Result<JsonValue | object | string, WorkspaceError>): Outcome =>
  result.ok
    ? { ok: true, output: result.value as JsonValue }
    : { ok: false, error: { code: result.error.code, message: result.error.message } };

/** A file that is written whole may be written again; one that is gone was deleted. */
async function observeTool(
  { workspaces }: WorkParts,
  run: string,
  { node }: NodeState,
  effect: EffectIntent,
): Promise<Observation> {
  const { tool, input } = effect.input as ToolCallInput;
  if (tool === 'write_file') return { state: 'not-done' };
  if (tool !== 'delete_file') return { state: 'unknown' };
  const { path = '' } = input as { readonly path?: string };
  const folder = await openFolder(workspaces.folderOf(run, inFolder(node)), forAgents(workspaces));
  const there = folder.ok ? await folder.value.exists(path) : folder;
  if (!there.ok) return { state: 'unknown' };
  return there.value
    ? { state: 'not-done' }
    : { state: 'done', outcome: { ok: true, output: `Deleted ${path}.` } };
}
