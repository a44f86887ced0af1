import { guard } from '@cuebook/guard';
import { hashOfRef } from '../../graph/material.js';
import type { AnyTeamEvent } from '../event.js';
import { isInFlight, type NodeState, type NodeWorkState, type TeamState } from '../state.js';
import {
  accept,
  type CommandAnswer,
  type Own,
  person,
  refuse,
  requireNode,
  type TeamDecideParts,
} from './refuse.js';

/** Queues a message. With `interrupt` the turn in flight is ended first. A held node is resumed by it. */
export function messageNode(
  state: TeamState,
  command: Own<'node.message'>,
  { context }: TeamDecideParts,
): CommandAnswer {
  const found = requireNode(state, command.node);
  if (!found.ok) return found;
  const node = found.value;
  if (node.messages.length >= state.settings.limits.inbox)
    return refuse('E_NODE_BUSY', 'Too many messages wait for this node.');
  const { contextRef } = command;
  const hash = contextRef === undefined ? undefined : (hashOfRef(contextRef) ?? '');
  if (guard('handoff.reference', hash !== undefined && !Object.hasOwn(state.artifacts ?? {}, hash)))
    return refuse('E_ARTIFACT_UNKNOWN', 'The run has no such artifact.');
  const by = person(command.by);
  const interrupt = command.interrupt === true;
  const id = context.newId('msg');
  return accept(
    [
      {
        type: 'node.told',
        data: {
          node: node.node.id,
          message: {
            id,
            text: command.text,
            by,
            interrupt,
            ...(contextRef === undefined ? {} : { contextRef }),
          },
        },
      },
      ...(interrupt ? interruptTurn(node, by, 'message') : []),
    ],
    { message: id },
  );
}

/** Ends the turn in flight. The node then waits for a person. */
export function interruptNode(state: TeamState, command: Own<'node.interrupt'>): CommandAnswer {
  const node = requireNode(state, command.node);
  if (!node.ok) return node;
  if (node.value.work === null || !isInFlight(node.value.work))
    return refuse('E_NODE_IDLE', 'The node has no turn in flight.');
  return accept(interruptTurn(node.value, person(command.by), 'person'));
}

/** Forgets what waits for the node and its session. A turn in flight is ended and not listened to. */
export function resetNode(
  state: TeamState,
  command: Own<'node.reset'>,
  _parts: TeamDecideParts,
): CommandAnswer {
  const node = requireNode(state, command.node);
  if (!node.ok) return node;
  const by = person(command.by);
  const { id } = node.value.node;
  const { work } = node.value;
  const ending: readonly AnyTeamEvent[] =
    work === null
      ? []
      : [{ type: 'turn.interrupting', data: { node: id, effect: work.effect, by, why: 'reset' } }];
  return accept([{ type: 'node.reset', data: { node: id, by } }, ...ending]);
}

/** Goes on after a hold: a failed turn is tried again with all that it had been given. */
export function resumeNode(state: TeamState, command: Own<'node.resume'>): CommandAnswer {
  const node = requireNode(state, command.node);
  if (!node.ok) return node;
  if (node.value.hold === null) return refuse('E_RUN_NOT_PAUSED', 'The node is not held.');
  return accept([{ type: 'node.resumed', data: { node: node.value.node.id, by: person(command.by) } }]);
}

/** A second request changes nothing: the first is under way. */
function interruptTurn(
  { node, work }: NodeState,
  by: string,
  why: NonNullable<NodeWorkState['interrupted']>['why'],
): readonly AnyTeamEvent[] {
  if (work === null || !isInFlight(work) || work.interrupted !== null) return [];
  return [{ type: 'turn.interrupting', data: { node: node.id, effect: work.effect, by, why } }];
}
