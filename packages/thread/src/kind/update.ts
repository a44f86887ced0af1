import { openLiveProject } from '@cuebook/define';
import { createEngine } from '@cuebook/engine';
import { engineError, type HostError, keepSources, type Moving, refuse } from '@cuebook/host';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { createThreadMachine, NO_CATALOG } from '../machine.js';
import { projectSources } from '../run-project.js';
import { checkTarget, folderUrl, soloProject, targetOf } from './open.js';

/** Moves a thread to the definitions of another version of the project. They are checked as for a thread that begins. */
export async function updateThread({
  run,
  call,
  ground,
  machine,
  said,
}: Moving): Promise<Result<JsonValue, HostError>> {
  const of = targetOf(call.target);
  if (of === undefined) return refuse('invalid', 'E_TARGET', 'Write agent:NAME or prompt:NAME.');
  const checked = await checkTarget(ground, of);
  if (!checked.ok) return checked;
  const { store, folder } = ground;
  const live = await openLiveProject(ground.files, { folder: folderUrl(ground) });
  const { catalog } = of.kind === 'prompt' ? soloProject(live, of.name) : live;
  const kept = await keepSources({ store, run, folder }, projectSources(live));
  await live.close();
  if (!kept.ok) return kept;
  const engine = createEngine({ store, machine: createThreadMachine(NO_CATALOG), drivers: {} });
  const moved = await engine.submit(run, {
    ...{ type: 'run.update', id: said.id, by: said.by },
    to: { ...kept.value, ...(machine !== undefined && { machine }) },
    own: { agents: [...catalog.agents.keys()], prompts: [...catalog.prompts.keys()] },
  });
  await engine.stop();
  return moved.ok ? ok(moved.value.answer) : fail(engineError(moved.error));
}
