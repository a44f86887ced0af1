import type { RunId } from '@cuebook/journal';
import type { Workspaces } from '@cuebook/workspace';
import type { AgentTexts } from '../role/agent-text.js';
import { loadRole } from '../role/load.js';
import { roleOfFile } from '../role/name.js';
import type { RoleTemplate } from '../role/template.js';
import type { TeamState } from '../run/state.js';
import type { PersonCommand, TeamHostOptions } from './contract.js';

/** What a person says of words that an agent wrote. */
export interface PersonsWord {
  readonly role: RoleTemplate;
  readonly state: 'allowed' | 'denied';
}

/** The template that a command is a person's word on. To be asked before the command is given. */
export async function wordOn(
  read: (run: RunId) => Promise<{ readonly state: TeamState }>,
  run: RunId,
  command: PersonCommand,
): Promise<PersonsWord | undefined> {
  if (command.type !== 'approval.resolve') return undefined;
  const { proposals } = (await read(run)).state;
  const role = Object.hasOwn(proposals, command.approval) ? proposals[command.approval] : undefined;
  return role && { role, state: command.decision === 'allow' ? 'allowed' : 'denied' };
}

/** Applying by a person: the templates that come into the project with it are theirs. */
export const applyByPerson =
  (
    { apply }: Pick<Workspaces, 'apply'>,
    { files, texts }: Pick<TeamHostOptions, 'files'> & { readonly texts: AgentTexts },
  ): Workspaces['apply'] =>
  async (what, options) => {
    const applied = await apply(what, options);
    const isDone = applied.ok && options?.dryRun !== true && applied.value.conflicts.length === 0;
    for (const { path } of isDone ? applied.value.files : []) {
      const loaded = await loadRole(files, roleOfFile(path) ?? '');
      if (loaded.ok) await texts.answer(loaded.value, 'allowed');
    }
    return applied;
  };
