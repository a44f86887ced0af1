import { join } from 'node:path';
import { createEngine } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import { engineError, type Ground, type HostError, keepSources, type Moving, refuse } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { sourcesOf } from '../package/kept-package.js';
import type { Workflow } from '../package/package.js';
import { replayMachine, workflowKind } from '../run/machine/machine.js';
import { shapeOf } from '../run/run.js';
import { readState } from '../state/document.js';
import { readBegun } from './begun.js';
import { loadHostedWorkflow } from './load.js';

/** Moves a run to the package of another version of the project. It is read and trusted as for a run that begins. */
export async function updateWorkflow({
  run,
  call,
  ground,
  machine,
  said,
}: Moving): Promise<Result<JsonValue, HostError>> {
  const begun = await readBegun(ground.store, run);
  if (!begun.ok) return begun;
  const { facts } = begun.value;
  const loaded = await loadHostedWorkflow(call.target, ground);
  if (!loaded.ok) return loaded;
  const { package: own, kept } = loaded.value;
  const workflow = own.workflows.get(facts.workflow);
  if (own.name !== facts.package || workflow === undefined)
    return gone(`the workflow ${facts.package}#${facts.workflow}`);
  const node = facts.mode === 'run' ? await currentNode(run, ground) : undefined;
  if (node !== undefined && !hasNode(workflow, node)) return gone(`the step ${node}`);
  const { store, folder } = ground;
  const sealed = await keepSources({ store, run, folder }, sourcesOf(kept));
  if (!sealed.ok) return sealed;
  const engine = createEngine({
    ...{ store, drivers: {}, keepState: true },
    machine: replayMachine(workflowKind(run)),
  });
  const moved = await engine.submit(run, {
    ...{ type: 'run.update', id: said.id, by: said.by },
    to: { ...sealed.value, ...(machine !== undefined && { machine }) },
    own: {
      version: own.version,
      ...(facts.mode === 'run' && { graph: shapeOf(workflow.graph) }),
      agents: [...own.agents.keys()],
    },
  });
  await engine.stop();
  return moved.ok ? ok(moved.value.answer) : fail(engineError(moved.error));
}

/** The step that the state of the run names; undefined where it names none or cannot be read. */
async function currentNode(
  run: RunId,
  { store, homeFolder }: Pick<Ground, 'store' | 'homeFolder'>,
): Promise<string | undefined> {
  const own = await openFolder(join(homeFolder, 'workflows', run), { create: true });
  const keeper = own.ok ? await store.mirror(own.value, `workflows/${run}`) : own;
  const text = keeper.ok ? await keeper.value.readText('workflow.md') : keeper;
  const document = text.ok ? readState(text.value) : undefined;
  return document?.ok ? document.value.state.currentNodeId.trim() || undefined : undefined;
}

const hasNode = ({ graph }: Workflow, node: string): boolean => graph.nodes.some(({ id }) => id === node);

const gone = (what: string): Result<never, HostError> =>
  refuse('conflict', 'E_UPDATE_GONE', `The run uses ${what}, which the new sources do not have.`);
