import type { NodeView } from '@cuebook/api';
import { pendingApprovals } from '@cuebook/engine';
import { type NodeState, type NodeWorkState, nodeStatus, type TeamState } from '@cuebook/team';
import type { Immutable } from '../http/group.js';
import { budgetOf } from './budget-view.js';
import { holdView } from './hold-view.js';

/** A node with all that waits for it. */
export function nodeView(state: TeamState, each: NodeState): Immutable<NodeView> {
  const { node, work, hold, inbox, messages, results, session } = each;
  return {
    id: node.id,
    label: node.label,
    alias: node.alias ?? null,
    role: node.role,
    provider: node.provider,
    model: node.model ?? null,
    orchestrator: node.orchestrator,
    status: isAsking(state, work) ? 'blocked' : nodeStatus(each),
    depth: node.depth,
    parent: node.parent ?? null,
    workspace: node.workspace,
    capabilities: node.capabilities,
    permissions: node.permissions,
    prompt: node.prompt?.text ?? null,
    override: node.override?.text ?? null,
    work: work && workView(state, work),
    hold: hold && holdView(hold),
    inbox,
    messages,
    results: results.length,
    session: { id: session.id, broken: session.broken },
    granted: each.granted,
    verification: each.verification,
    lastTurn: each.lastTurn,
    budget: budgetOf(state, `node/${node.id}`),
  };
}

const workView = (state: TeamState, work: NodeWorkState): NonNullable<Immutable<NodeView>['work']> => ({
  number: work.turn,
  turn: work.effect,
  prompt: work.kind.kind,
  ...(work.kind.kind === 'full' ? { why: work.kind.why } : {}),
  cause: work.cause,
  phase: isAsking(state, work) ? 'waiting' : phaseOf(work),
});

function phaseOf({ outcome, step }: NodeWorkState): 'speaking' | 'calls' | 'diff' | 'verify' {
  if (outcome === null) return 'speaking';
  if (step !== null) return step.kind === 'verify.run' ? 'verify' : 'diff';
  return 'calls';
}

/** Whether a turn waits for a person: a call of ours, or an agent that asks before it acts. */
function isAsking({ approvals }: TeamState, work: NodeWorkState | null): boolean {
  if (work === null) return false;
  if ([...work.calls, ...work.native].some(({ phase }) => phase === 'asked')) return true;
  return pendingApprovals(approvals).some(({ about }) => about === `native/${work.effect}`);
}
