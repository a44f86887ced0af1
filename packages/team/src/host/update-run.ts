import { type HostError, refuse } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import type { TeamVersion } from '../run/command.js';
import { nodesOf, type TeamState } from '../run/state.js';
import { GIVEN_FILE, type PreparedRun, prepareRun, type RunGround } from './start-run.js';

/** What another version of the project says of the team of a run, checked as for a run that begins. */
export async function readVersion(
  ground: RunGround,
  state: TeamState,
  { run, by }: { readonly run: RunId; readonly by: string },
): Promise<Result<{ readonly own: TeamVersion; readonly files: PreparedRun['files'] }, HostError>> {
  const file = nodesOf(state).find(({ node }) => node.depth === 0 && node.at !== undefined)?.node.at?.ref;
  if (file === undefined || file === GIVEN_FILE)
    return refuse(
      'conflict',
      'E_UPDATE_KIND',
      'The team was handed in as a text, so no file has another version of it.',
    );
  const there = await ground.project.readText(file);
  if (!there.ok && there.error.code === 'E_FILE_NOT_FOUND')
    return refuse(
      'conflict',
      'E_UPDATE_GONE',
      `The run uses team:${file}, which the new sources do not have.`,
    );
  const prepared = await prepareRun(ground, { id: run, by, team: { file } }, run);
  if (!prepared.ok) return prepared;
  const { goal, done, verify, edges, roles, nodes } = prepared.value.start;
  const specs = nodes.map(({ budget: _budget, ...spec }) => spec);
  return ok({ own: { goal, done, verify, edges, roles, nodes: specs }, files: prepared.value.files });
}
