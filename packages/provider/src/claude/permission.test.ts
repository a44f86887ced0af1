import { describe, expect, it } from 'vitest';
import { requestOf } from '../../test/play.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { Access, ApprovalAnswer } from '../turn.js';
import { answerPermission } from './permission.js';
import type { AgentEvent } from './stream/agent-event.js';

/** Asks for a command with these rights and this answer of the person asked. */
async function ask(
  access: Access | undefined,
  isAsked: boolean,
  answer?: ApprovalAnswer,
  isOurs = () => false,
) {
  const events: AgentEvent[] = [];
  const turn = {
    input: { request: requestOf('x'), ...(answer ? { onApproval: async () => answer } : {}) },
    emit: (event: AgentEvent) => events.push(event),
  } as unknown as LiveTurn;
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' };
  const said = await answerPermission('r1', request, turn, { access, ask: isAsked, isOurs });
  return { said, events };
}

const ALLOWED = { behavior: 'allow', updatedInput: {} };

describe('an agent that asks before it acts', () => {
  it.each([
    [undefined, 'deny'],
    ['plan', 'deny'],
    ['edit', 'deny'],
    ['full', 'allow'],
  ] as const)('with access %s, and nobody to ask, hears "%s"', async (access, behavior) => {
    const { said, events } = await ask(access, false, { decision: 'allow' });
    expect(said.behavior).toBe(behavior);
    expect(events).toEqual([]);
  });

  it('is never allowed to act in planning, whatever a person says', async () => {
    const { said, events } = await ask('plan', true, { decision: 'allow' });
    expect(said.behavior).toBe('deny');
    expect(events).toEqual([]);
  });

  it.each([
    [{ decision: 'allow' }, ALLOWED],
    [
      { decision: 'deny', message: 'no' },
      { behavior: 'deny', message: 'no' },
    ],
    [
      { decision: 'change', input: { command: 'pwd' } },
      { behavior: 'allow', updatedInput: { command: 'pwd' } },
    ],
  ] as const)('hears %o as %o', async (answer, said) => {
    const asked = await ask('edit', true, answer);
    expect(asked.said).toEqual(said);
    expect(asked.events).toEqual([
      { type: 'approval.request', id: 'r1', tool: 'Bash', input: { command: 'ls' }, callId: 't1' },
    ]);
  });

  it.each([[{}], [null], ['rm'], [[1]]])('is denied when the input is changed to %o', async (input) => {
    expect((await ask('full', true, { decision: 'change', input })).said.behavior).toBe('deny');
  });

  it('needs no permission for our own tools, whose runner decides', async () => {
    for (const access of [undefined, 'plan', 'edit', 'full'] as const) {
      const { said, events } = await ask(access, true, { decision: 'deny' }, () => true);
      expect([said, events]).toEqual([ALLOWED, []]);
    }
  });

  it('is denied when nobody answers', async () => {
    expect((await ask(undefined, true)).said.behavior).toBe('deny');
  });
});
