import { guard } from '@cuebook/guard';
import type { Workflow, WorkflowNode } from '../package/package.js';
import type { StateError } from './error.js';
import { claimedDone } from './rules.js';
import type { WorkflowState } from './schema.js';

/** What the world shows of the steps of a run, whatever the model says of them. */
export interface StepFacts {
  /** The node whose brief the turn began with: the only one that its calls can complete. */
  readonly told: string | null;
  /** The declared outputs of a node that are not there or hold nothing. */
  missingOutputs(node: WorkflowNode): Promise<readonly string[]>;
}

/** Why the world does not show what a change of the state says; undefined where it does. */
export async function checkDone(
  { told, missingOutputs }: StepFacts,
  workflow: Workflow,
  { before, after }: { readonly before: WorkflowState; readonly after: WorkflowState },
): Promise<StateError | undefined> {
  for (const claimed of claimedDone(workflow, before, after)) {
    const step = claimed.node.id;
    if (guard('state.told', step !== told)) return { code: 'E_STEP_NOT_DONE', step, why: 'not-told' };
    const outputs = await missingOutputs(claimed);
    if (guard('state.outputs', outputs.length > 0))
      return { code: 'E_STEP_NOT_DONE', step, why: 'outputs', outputs };
  }
  return undefined;
}
