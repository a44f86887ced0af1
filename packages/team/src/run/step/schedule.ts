import { areRunning, askTurn } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { mayChange, mayTouch } from '../../capability/access.js';
import { isRootLead, type TeamNode } from '../../graph/node.js';
import { isOneFolder } from '../../graph/workspace.js';
import { headOf } from '../../prompt/compose.js';
import { promptKind } from '../../prompt/kind.js';
import { wakes } from '../../prompt/result.js';
import type { TurnCause } from '../../prompt/task.js';
import type { RoleTemplate } from '../../role/template.js';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import {
  type NodeState,
  nodeLane,
  nodeScope,
  nodesOf,
  RUN_SCOPE,
  type TeamState,
  waitsForAnswers,
} from '../state.js';
import type { StepParts } from './work.js';

/**
 * The next turn to begin, if one can: of all nodes that have something to do and may, the one whose last turn is
 * longest ago. Empty when there is none, or no room for one.
 */
export function scheduleSteps(state: TeamState, parts: StepParts): readonly AnyTeamEvent[] {
  if (state.status !== 'running' || guard('turn.finishing', Boolean(state.finishing))) return [];
  const ready = nodesOf(state)
    .flatMap((node) => {
      const cause = causeOf(state, node);
      return cause === undefined ? [] : [{ node, cause }];
    })
    .sort((a, b) => a.node.lastTurn - b.node.lastTurn);
  for (const { node, cause } of ready) {
    if (!hasRoom(state, node.node, parts.config)) continue;
    const steps = beginTurn(state, node, cause, parts);
    if (steps.length > 0) return steps;
  }
  return [];
}

/** Why a node is to be asked now; undefined when it is busy, held, or has nothing to do. */
export function causeOf(state: TeamState, node: NodeState): TurnCause | undefined {
  const own = ownCause(node);
  if (own !== undefined || node.work !== null || guard('turn.held', node.hold !== null)) return own;
  if (state.settings.mode !== 'AUTO' || !isRootLead(node.node)) return undefined;
  // The one who leads is asked again only when nobody else has anything to do: waiting costs nothing.
  const isBusy = nodesOf(state).some((other) => other !== node && (other.work !== null || ownCause(other)));
  return guard('auto.quiet', isBusy) ? undefined : 'auto';
}

function ownCause({ work, hold, wake, messages, inbox, results }: NodeState): TurnCause | undefined {
  if (work !== null || guard('turn.held', hold !== null)) return undefined;
  if (wake !== null) return wake;
  if (messages.length > 0) return 'message';
  if (inbox.length > 0) return 'handoff';
  return results.some(wakes) ? 'results' : undefined;
}

/**
 * Limits of the run and of the provider; one at a time in the folder of a node; in the person's one that may write, or
 * any number of those that may not and are watched.
 */
function hasRoom(state: TeamState, node: TeamNode, { acts }: TeamConfig): boolean {
  const { limits, globalMode } = state.settings;
  const busy = nodesOf(state).filter(({ work }) => work !== null);
  const running = busy.filter((other) => isRunning(state, other));
  if (guard('turn.parallel', running.length >= limits.parallel)) return false;
  const most = Object.hasOwn(limits.perProvider, node.provider)
    ? limits.perProvider[node.provider]
    : undefined;
  const same = running.filter((other) => other.node.provider === node.provider).length;
  if (guard('turn.provider', most !== undefined && same >= most)) return false;
  const isTaken = busy.some((other) => isOneFolder(other.node, node));
  if (guard('turn.folder', isTaken)) return false;
  const isShared = (other: TeamNode): boolean =>
    other.workspace === 'shared' && mayTouch(other, globalMode, acts?.(other.provider) ?? false);
  const writes = mayChange(node, globalMode);
  const isInTheWay = busy.some(
    (other) => isShared(other.node) && (writes || mayChange(other.node, globalMode)),
  );
  return !guard('turn.workspace', isShared(node) && isInTheWay);
}

/** Who keeps a node from its next turn by waiting for a person in mid-turn, in the folder that both work in. */
export function folderHolder(state: TeamState, waiting: NodeState): NodeState | undefined {
  if (state.status !== 'running' || causeOf(state, waiting) === undefined) return undefined;
  const { globalMode } = state.settings;
  const isShared = ({ node }: NodeState): boolean =>
    node.workspace === 'shared' && mayTouch(node, globalMode, true);
  return nodesOf(state).find(
    (other) =>
      other.work !== null &&
      !isRunning(state, other) &&
      (isOneFolder(other.node, waiting.node) || (isShared(other) && isShared(waiting))),
  );
}

/** A node that waits for a person takes no room, though its folder is still in use. */
export function isRunning(state: TeamState, { work }: NodeState): boolean {
  if (work === null) return false;
  if (waitsForAnswers(state, work)) return areRunning(work.native);
  if (work.outcome === null) return !work.native.some(({ phase }) => phase === 'asked');
  return work.step !== null || areRunning(work.calls) || !work.calls.some(({ phase }) => phase === 'asked');
}

/** Looked at by the budget first, and in the log before anybody begins it. */
export function beginTurn(
  state: TeamState,
  { node: own, session, model: number = 0 }: NodeState,
  cause: TurnCause,
  { config, context }: StepParts,
): readonly AnyTeamEvent[] {
  const name = own.fallbacks?.[number - 1];
  const fallback = name === undefined ? undefined : { model: name, number };
  const node = name === undefined ? own : { ...own, model: name };
  const scope = nodeScope(node.id);
  const expected = config.expect?.(state, node);
  const room = { budget: state.budget, scope, ...(expected && { expected }) };
  const turn = state.turns + 1;
  const head = headOf(state.roles[node.role] as RoleTemplate, node, config.nativeTools(node.provider));
  const kind = promptKind(session, {
    provider: node.provider,
    model: node.model ?? null,
    head,
    resumes: node.resume && config.resumes(node.provider),
  });
  const asked = askTurn<AnyTeamEvent>(room, context, (effect) => ({
    asked: {
      type: 'turn.started',
      data: { node: node.id, turn, effect, kind, cause, head, ...(fallback && { fallback }) },
    },
    kind: 'node.turn',
    lane: nodeLane(node.id),
    input: { node: node.id, turn, prompt: kind.kind, session: kind.kind === 'delta' ? session.id : null },
    onCrash: crashPolicy(config, node),
  }));
  if (asked.ok) return asked.value;
  // What turns in flight have set aside may come back: only what is spent stops anybody.
  if (Object.keys(state.budget.holds).length > 0) return [];
  const pause = { kind: 'budget', exhausted: asked.error } as const;
  return pause.exhausted.scope === RUN_SCOPE
    ? [{ type: 'run.paused', data: pause }]
    : [{ type: 'node.held', data: { node: node.id, hold: pause } }];
}

const crashPolicy = ({ onTurnCrash }: TeamConfig, node: TeamNode) => onTurnCrash?.(node) ?? 'ask-person';
