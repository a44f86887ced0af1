import { type Approval, checkChanged, resolveApproval } from '@cuebook/engine';
import { fail, type JsonValue, type Result } from '@cuebook/prompt';
import { permitNative } from '../../capability/native.js';
import type { AnyTeamEvent } from '../event.js';
import { askingNode, nativeAbout, type TeamState } from '../state.js';
import { rulesOf } from '../step/rules.js';
import { accept, type CommandAnswer, type Own, person, type TeamDecideParts } from './refuse.js';

/** A person's answer. A changed input passes every check of the first one; an edit that is allowed is adopted. */
export function decideApproval(
  state: TeamState,
  command: Own<'approval.resolve'>,
  { config, context }: TeamDecideParts,
): CommandAnswer {
  const check = (approval: Approval, input: JsonValue) => checkAnswer(state, approval, input, config);
  const by = person(command.by);
  const resolved = resolveApproval(state.approvals, { ...command, by }, { now: context.now, check });
  if (!resolved.ok) return resolved;
  const role = Object.hasOwn(state.proposals, command.approval)
    ? state.proposals[command.approval]
    : undefined;
  const adopted: readonly AnyTeamEvent[] =
    role !== undefined && command.decision === 'allow' && resolved.value.length > 0
      ? [{ type: 'role.adopted', data: { role, by } }]
      : [];
  return accept([...resolved.value, ...adopted], { approval: command.approval });
}

function checkAnswer(
  state: TeamState,
  approval: Approval,
  input: JsonValue,
  config: TeamDecideParts['config'],
): Result<JsonValue, string> {
  const node = askingNode(state, approval);
  if (node === undefined) return fail('this can only be allowed or denied');
  const isNative = approval.about === nativeAbout(node.work?.effect ?? '');
  return checkChanged(approval, input, {
    rules: isNative ? undefined : rulesOf(state, node, config),
    permitNative: (tool, changed) => permitNative(node.node, { tool, input: changed }, state.settings),
  });
}
