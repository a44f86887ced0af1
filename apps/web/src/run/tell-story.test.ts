import type { RunEventView } from '@cuebook/api';
import { describe, expect, it } from 'vitest';
import { newDraft, storyOf } from './story-draft.js';
import { takeEvent, tellStory } from './tell-story.js';

const DATA = [
  ['node.added', { node: { id: 'n', alias: 'dev', role: 'implementer', provider: 'cli' } }],
  ['turn.started', { effect: 't', node: 'n', turn: 1, cause: 'start', kind: { kind: 'full' } }],
  ['effect.intended', { id: 't', kind: 'node.turn', lane: 'node/n', input: {} }],
  ['approval.requested', { id: 'a', about: 'native/t', tool: 'edit', input: { path: 'x' } }],
  ['approval.resolved', { id: 'a', decision: 'deny', by: 'owner', message: 'No.' }],
  [
    'effect.settled',
    { id: 't', outcome: { ok: true, output: { text: 'Done.', calls: [], end: { reason: 'done' } } } },
  ],
  ['budget.spent', { hold: 't', tokens: 7, usd: 0.5 }],
  ['something.new', 'of a later version'],
] as const;
const EVENTS = DATA.map(([type, data], index) => ({
  ...{ id: `r/${index + 1}`, run: 'r', seq: index + 1, at: index, type, data, command: 'c', hash: 'h' },
})) as unknown as readonly RunEventView[];

describe('tellStory', () => {
  it('tells the same live and played back, at every event', () => {
    const draft = newDraft();
    for (const [index, event] of EVENTS.entries()) {
      takeEvent(draft, event);
      takeEvent(draft, event);
      expect(storyOf(draft)).toEqual(tellStory(EVENTS.slice(0, index + 1)));
    }
  });

  it('tells what was asked, answered, said and spent', () => {
    const { agents, items } = tellStory(EVENTS);
    expect(agents).toMatchObject([
      { name: 'dev', status: 'idle', turns: 1, tokens: 7, usd: 0.5, last: 'Done.' },
    ]);
    expect(items).toMatchObject([
      { kind: 'turn', text: 'Done.', calls: [{ status: 'denied', decision: 'Denied by owner: No.' }] },
    ]);
  });

  it.each([
    [
      { commit: '0123456789abcdef', machine: null },
      'From here on the run uses other sources, by ann: commit 0123456789ab',
    ],
    [
      { commit: '0123456789abcdef', machine: 'm' },
      'From here on the run uses other sources, by ann: the folder as it was then (commit 0123456789ab checked out)',
    ],
    [{}, 'From here on the run uses other sources, by ann: the folder as it was then'],
  ])('notes that a run was moved to other sources, and to which: %j', (to, text) => {
    const [first] = EVENTS;
    const moved = { ...first, type: 'run.updated', data: { by: 'ann', from: null, to, own: null } };
    expect(tellStory([moved as RunEventView]).items).toMatchObject([{ kind: 'note', text }]);
  });

  it('shows at an earlier event that the agent waits', () => {
    expect(tellStory(EVENTS.slice(0, 4)).agents[0]?.status).toBe('waiting');
  });
});
