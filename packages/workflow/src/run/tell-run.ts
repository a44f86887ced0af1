import {
  createEngine,
  describeEngineError,
  type EffectResolve,
  type PortError,
  type ToolRules,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { RunId, Store } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import { validateArgs, WORKFLOW_TOOLS } from '../tool/catalog.js';
import { createWorkflowMachine, type WorkflowCommand, workflowKind } from './machine/machine.js';

/** What a person may say to a run from outside: an answer, a permission, a word, or what became of a call. */
export type PersonWord =
  | Extract<WorkflowCommand, { readonly type: 'approval.resolve' | 'agent.say' }>
  | EffectResolve;

/** A word for a run, and the journal that keeps it. */
interface Telling {
  readonly store: Store;
  readonly run: RunId;
  /** The id of the command: the same one again is taken once. */
  readonly id: string;
  /** Whether a turn of a provider may be taken again after a crash; of one that nobody knows it may not. */
  readonly mayRepeat: (provider: string) => boolean;
}

/**
 * Says something to a run without working on it: neither its package nor its provider is needed. When it answers ok,
 * the word is in the log for good. Whoever works on the run, now or later, goes on from there.
 */
export async function tellRun(
  { store, run, id, mayRepeat }: Telling,
  word: PersonWord,
): Promise<Result<null, PortError>> {
  const engine = createEngine({
    store,
    keepState: true,
    drivers: {},
    machine: createWorkflowMachine({
      kind: workflowKind(run),
      rules: (_, by) => personRules(by),
      // A budget is set when a run begins: no word changes it.
      priced: false,
      // What an agent may have done itself is never done again without a person.
      onTurnCrash: ({ composed }) =>
        guard('run.tell', composed === null || !mayRepeat(composed.voice)) ? 'ask-person' : 'repeat',
    }),
  });
  const done = await engine.submit(run, { ...word, id });
  await engine.stop();
  return done.ok ? ok(null) : fail(describeEngineError(done.error));
}

/** The rules as far as a word of a person needs them: what was asked was held to the policy when it was asked. */
const personRules = (by: 'model' | 'person'): ToolRules => ({
  tools: WORKFLOW_TOOLS,
  validate: (tool, args) => validateArgs(tool, args, by),
});
