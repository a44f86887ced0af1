import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Workflow, WorkflowNode } from '../package/package.js';
import type { AllowedNext, StateError } from './error.js';
import type { WorkflowState } from './schema.js';

/** The node that a state is at: an empty `currentNodeId` is the entry. */
export function requireNode(workflow: Workflow, state: WorkflowState): Result<WorkflowNode, StateError> {
  const id = state.currentNodeId.trim() || workflow.graph.entryNodeId;
  const node = workflow.nodes.get(id);
  if (node === undefined) return fail({ code: 'CURRENT_NODE_INVALID', node: id });
  return ok(node);
}

/**
 * Whether the workflow is done: it is at an end, and that end is completed. No variable says so: the value of
 * `workflowStatus`, or any other, is the author's own and completes nothing.
 */
export function isComplete(workflow: Workflow, state: WorkflowState): boolean {
  const node = requireNode(workflow, state);
  return node.ok && node.value.node.type === 'end' && state.stepsCompleted.includes(node.value.node.id);
}

/**
 * What keeps a state from becoming another. Moves follow an edge, completed steps are never removed, and only
 * the step that the run is at can be completed, or the end that it arrives at. A confirmed change of a complete
 * workflow may go back to any completed step or to the entry.
 */
export function checkChange(
  workflow: Workflow,
  before: WorkflowState,
  after: WorkflowState,
): StateError | undefined {
  const from = requireNode(workflow, before);
  if (!from.ok) return from.error;
  const to = workflow.nodes.get(after.currentNodeId.trim() || workflow.graph.entryNodeId);
  if (guard('state.node', to === undefined)) {
    return noEdge(from.value, after.currentNodeId.trim());
  }
  const target = to as WorkflowNode;
  const isMove = target.node.id !== from.value.node.id;
  const isAllowed =
    from.value.next.some(({ edge }) => edge.to === target.node.id) ||
    (isComplete(workflow, before) && isBehind(workflow, before, target.node.id));
  if (guard('state.transition', isMove && !isAllowed)) return noEdge(from.value, target.node.id);
  return checkSteps(workflow, before, after, from.value, target) ?? checkDecisions(workflow, before, after);
}

/**
 * The nodes that a change says are done: those it completes, and the one it leaves for a node that was not done
 * before. Going back to a completed step says nothing about the one that is left.
 */
export function claimedDone(
  workflow: Workflow,
  before: WorkflowState,
  after: WorkflowState,
): readonly WorkflowNode[] {
  const from = requireNode(workflow, before);
  const to = requireNode(workflow, after);
  if (!from.ok || !to.ok) return [];
  const old = new Set(before.stepsCompleted);
  const claimed = new Set(after.stepsCompleted.filter((step) => !old.has(step)));
  const isMove = from.value.node.id !== to.value.node.id;
  if (isMove && !old.has(from.value.node.id) && !isBehind(workflow, before, to.value.node.id))
    claimed.add(from.value.node.id);
  return [...claimed].flatMap((id) => workflow.nodes.get(id) ?? []);
}

/** The ways on from a node, in the order of the graph. */
export const allowedNext = ({ next }: WorkflowNode): readonly AllowedNext[] =>
  next.map(({ edge: { to, label, isDefault, conditionText } }) => ({
    to,
    label,
    ...(isDefault ? { isDefault: true as const } : {}),
    ...(conditionText === undefined ? {} : { conditionText }),
  }));

const isBehind = ({ graph }: Workflow, { stepsCompleted }: WorkflowState, id: string): boolean =>
  id === graph.entryNodeId || stepsCompleted.includes(id);

const noEdge = (from: WorkflowNode, to: string): StateError => ({
  code: 'E_INVALID_TRANSITION',
  from: from.node.id,
  to,
  allowedNext: allowedNext(from),
});

function checkSteps(
  { nodes }: Workflow,
  before: WorkflowState,
  after: WorkflowState,
  from: WorkflowNode,
  to: WorkflowNode,
): StateError | undefined {
  const kept = new Set(after.stepsCompleted);
  const removed = before.stepsCompleted.filter((step) => !kept.has(step));
  if (guard('state.shrink', removed.length > 0)) {
    return { code: 'E_STEPS_COMPLETED', why: 'removed', steps: removed };
  }
  const old = new Set(before.stepsCompleted);
  const added = after.stepsCompleted.filter((step) => !old.has(step));
  const unknown = added.filter((step) => !nodes.has(step));
  if (guard('state.unknown-step', unknown.length > 0)) {
    return { code: 'E_STEPS_COMPLETED', why: 'unknown', steps: unknown };
  }
  const early = added.filter(
    (step) => step !== from.node.id && !(step === to.node.id && to.node.type === 'end'),
  );
  if (guard('state.unvisited-step', early.length > 0)) {
    return { code: 'E_STEPS_COMPLETED', why: 'not-current', steps: early };
  }
  return undefined;
}

/** A decision that is logged is a decision that the graph offers. */
function checkDecisions(
  { nodes }: Workflow,
  before: WorkflowState,
  after: WorkflowState,
): StateError | undefined {
  const wrong = after.decisionLog.findIndex(
    ({ from, to }, at) =>
      at >= before.decisionLog.length && nodes.get(from)?.next.some(({ edge }) => edge.to === to) !== true,
  );
  if (!guard('state.decision', wrong !== -1)) return undefined;
  const path = `decisionLog[${wrong}]`;
  return {
    code: 'E_SCHEMA_VALIDATION',
    errors: [{ path, message: 'no edge of the graph is this decision' }],
  };
}
