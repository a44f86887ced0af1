import { type Conversation, isErrorResult, type TurnOutcome, type Verdict } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { TEXTS } from '../../shipped-texts.js';
import { applyPatchTool } from '../../tool/apply-patch.js';
import { DEFAULT_MAX_TURNS } from './facts.js';
import type { WorkflowRunState } from './state.js';

/** Who says what Cuebook says in the user's place. */
const OURS = 'cuebook';

/**
 * What follows from an answer. Calls go on, up to the bound of turns. Words end a conversation and a complete
 * workflow; in the middle of one they are for the user, unless the run is on autopilot.
 */
export function judgeAnswer(run: WorkflowRunState, agent: Conversation, answer: TurnOutcome): Verdict {
  const { facts, composed } = run;
  const { end, calls } = answer;
  if (end.reason !== 'done') {
    // Nothing was sent: this process had lost the run for a moment, or the disk was busy.
    if (end.code === 'E_PROVIDER_RECORD') return { kind: 'retry' };
    const code = end.reason === 'aborted' ? 'ENGINE_ABORTED' : (end.code ?? 'E_AGENT_TURN');
    return { kind: 'fail', code, message: end.message ?? `The turn ended: ${end.reason}.` };
  }
  if (composed?.isClosing) return { kind: 'done' };
  const isOver = calls.length === 0 && (facts?.mode !== 'run' || composed?.isComplete === true);
  if (isOver) return { kind: 'done' };
  const hasMoved = movedOn(agent, composed);
  const isWaiting = calls.length === 0 && facts?.autopilot !== true && !hasMoved;
  if (isWaiting) return { kind: 'wait', reason: 'The agent has said something and waits for an answer.' };
  const max = facts?.maxTurns ?? DEFAULT_MAX_TURNS;
  if (guard('run.turns', turnsSincePerson(agent) + 1 >= max)) {
    const message = `${max} turns followed from one message, and the workflow is not complete. Say something to go on.`;
    return { kind: 'fail', code: 'ENGINE_MAX_TURNS_EXCEEDED', message };
  }
  if (calls.length > 0) return { kind: 'continue' };
  return { kind: 'continue', note: TEXTS.text(`notes.md#${hasMoved ? 'next-step' : 'go-on'}`) };
}

/** Whether the agent has taken the run to another step by a call of this turn: nobody has told it of that one. */
const movedOn = ({ native }: Conversation, composed: WorkflowRunState['composed']): boolean =>
  native.some(({ name, input, result }) => {
    if (name !== applyPatchTool.name || result === undefined || isErrorResult(result)) return false;
    const { patch } = input as {
      readonly patch?: { readonly update?: { readonly currentNodeId?: unknown } };
    };
    const { set } = (patch?.update?.currentNodeId ?? {}) as { readonly set?: unknown };
    return typeof set === 'string' && set.trim() !== composed?.nodeId;
  });

function turnsSincePerson({ history }: Conversation): number {
  let turns = 0;
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const message = history[at];
    if (message?.role === 'user' && message.by !== OURS) break;
    if (message?.role === 'assistant') turns += 1;
  }
  return turns;
}
