import { requestApproval } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { TeamState } from '../state.js';
import { accept, type CommandAnswer, type Own, person, type TeamDecideParts } from './refuse.js';

/** A template has changed. A person's edit counts from the next turn; an agent's waits for a person. */
export function updateRole(
  state: TeamState,
  { role, changedBy, ...command }: Own<'role.update'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const by = person(command.by);
  const isKnown = Object.hasOwn(state.roles, role.name) && state.roles[role.name]?.text === role.text;
  const isProposed = Object.values(state.proposals).some(
    ({ name, text }) => name === role.name && text === role.text,
  );
  if (isKnown || isProposed) return accept([]);
  if (!guard('role.proposed', changedBy === 'agent'))
    return accept([{ type: 'role.adopted', data: { role, by } }]);
  const id = context.newId('apr');
  const asked = {
    ...{ id, about: `role/${role.name}`, tool: 'edit_role_template' },
    input: { name: role.name, file: role.file, text: role.text },
    reason: 'an agent changed a role template; it counts only when a person allows it',
  };
  return accept(
    [{ type: 'role.proposed', data: { role, approval: id, by } }, ...requestApproval(asked, context.now)],
    { approval: id },
  );
}
