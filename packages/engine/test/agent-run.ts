import type { JsonValue } from '@cuebook/prompt';
import type { ConversationCommand, ConversationConfig } from '../src/conversation/conversation.js';
import { createAgentMachine } from '../src/conversation/machine.js';
import type { TurnOutcome } from '../src/conversation/outcome.js';
import { statusOf } from '../src/conversation/status.js';
import type { Outcome } from '../src/machine.js';
import type { AskedCall } from '../src/tool-loop/plan.js';
import { simulateRun } from './simulated-run.js';

export const CONFIG: ConversationConfig = {
  rules: {
    tools: [
      { name: 'read', safety: 'idempotent', parallel: true },
      { name: 'write', safety: 'observable' },
      { name: 'pay', policy: 'ask' },
      { name: 'wait', poll: 10 },
    ],
  },
  priced: true,
  onTurnCrash: 'repeat',
};

/** A conversation that a test drives: it plays the model, the tools, the people and the clock. */
export function agentRun(given: Partial<ConversationConfig> = {}) {
  const run = simulateRun(createAgentMachine({ ...CONFIG, ...given }));
  const open = (kind: string) => run.openEffects().filter((effect) => effect.kind === kind);
  return {
    ...run,
    status: () => statusOf(run.state()),
    turn: () => open('model.turn')[0],
    tools: () => open('tool.call'),
    /** What the model answers to the turn in flight. */
    answers(text: string, calls: readonly AskedCall[] = [], more: Partial<TurnOutcome> = {}): void {
      const output: TurnOutcome = { text, calls, end: { reason: 'done' }, usage: USAGE, ...more };
      run.settle(open('model.turn')[0]?.id ?? '', { ok: true, output: output as unknown as JsonValue });
    },
    /** What the tool of an open call gives, told by the name of the tool. */
    gives(tool: string, outcome: Outcome | string): void {
      const effect = open('tool.call').find(({ input }) => (input as { tool: string }).tool === tool);
      run.settle(effect?.id ?? '', typeof outcome === 'string' ? { ok: true, output: outcome } : outcome);
    },
    start: (text = 'hello', more: Partial<Extract<ConversationCommand, { type: 'agent.start' }>> = {}) =>
      run.submit({ type: 'agent.start', text, by: 'ann', ...more }),
    say: (text: string) => run.submit({ type: 'agent.say', text, by: 'ann' }),
    stop: (force = false) => run.submit({ type: 'agent.stop', by: 'ann', force }),
    resume: () => run.submit({ type: 'agent.resume', by: 'ann' }),
  };
}

export const USAGE = { inputTokens: 80, outputTokens: 20, costUsd: 0.01 };

export const call = (name: string, id: string = name, input: JsonValue = {}): AskedCall => ({
  id,
  name,
  input,
});
