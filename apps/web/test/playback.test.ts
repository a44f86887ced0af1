import type { RunEventView } from '@cuebook/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { desk } from '../../../packages/thread/test/project.js';
import { packageTexts } from '../../../packages/workflow/test/fixture.js';
import { WHOLE } from '../../../packages/workflow/test/run-desk.js';
import { itInTurn as it, runs } from '../../../test/runs.js';
import { call, must, type ServerStand, serverStand } from '../../server/test/server-stand.js';
import type { Story } from '../src/run/story.js';
import { newDraft, storyOf } from '../src/run/story-draft.js';
import { takeEvent, tellStory } from '../src/run/tell-story.js';
import { workflowStateOf } from '../src/run/workflow-state.js';

const under = (folder: string, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]));
const SHEET = 'blocks:\n  - name: task\n    role: user\n    parts:\n      - text: "Say hello.\\n"\n';
const TEAM = `goal: Work.
mode: AUTO
nodes:
  - { alias: lead, role: orchestrator, provider: rehearsal }
  - { alias: dev, role: implementer, provider: rehearsal }
edges: [{ from: lead, to: dev }]
`;

/** One target of each kind, with what a script says in it. */
const KINDS = [
  ['team:team.yaml', [{ text: call('finish_run', { ok: true, summary: 'Done.' }) }]],
  ['agent:desk', [{ text: 'Hello.', reasoning: 'Why not?' }]],
  ['workflow:workflows/hb', WHOLE],
  ['sheet:hello', [{ text: 'Hello.' }]],
] as const;

/** A run as it was followed: what was shown at each event, and its record. */
interface Followed {
  readonly shown: readonly Story[];
  readonly events: readonly RunEventView[];
}

let stand: ServerStand;
const followed = new Map<string, Followed>();
beforeAll(async () => {
  stand = await serverStand({
    files: {
      ...under('agents', desk()),
      ...under('workflows/hb', packageTexts()),
      ...{ 'team.yaml': TEAM, 'sheets/hello.yaml': SHEET },
    },
  });
  const told = await Promise.all(KINDS.map(([target, steps]) => follow(target, steps)));
  for (const [index, [target]] of KINDS.entries()) followed.set(target, told[index] as Followed);
});
afterAll(() => stand?.remove());

async function follow(target: string, steps: readonly object[]): Promise<Followed> {
  const script = JSON.stringify({ lanes: { '*': steps } });
  const { run } = must(
    await stand.client.startRun({
      target,
      ...(!target.startsWith('sheet:') && { input: 'Begin.' }),
      script,
    }),
  );
  const end = new AbortController();
  const draft = newDraft();
  const shown: Story[] = [];
  let isCaughtUp = false;
  for await (const heard of stand.client.follow({ run, signal: end.signal })) {
    isCaughtUp ||= heard.type === 'ready';
    if (heard.type === 'event') {
      takeEvent(draft, heard.event);
      shown.push(storyOf(draft));
    }
    if (!isCaughtUp) continue;
    const { status, seq } = must(await stand.client.getReport({ run }));
    if (['done', 'idle', 'waiting', 'failed'].includes(status) && draft.seq >= seq) end.abort();
  }
  const { events, more } = must(await stand.client.listEvents({ run, limit: 1_000 }));
  expect(more).toBe(false);
  return { shown, events: events.slice(0, shown.length) };
}

describe.each(KINDS.map(([target]) => target))('a run of %s', (target) => {
  it('is told the same played back as it was live, at every event', () => {
    const { shown, events } = followed.get(target) as Followed;
    expect(shown.length).toBeGreaterThan(3);
    const turns = shown.at(-1)?.items.filter((item) => item.kind === 'turn') ?? [];
    expect(turns.length).toBeGreaterThan(0);
    // Each leads to its prompt, and nobody takes part who has no name.
    expect(shown.at(-1)?.agents.map(({ name }) => name)).not.toContain('');
    expect(turns.every(({ isRecorded }) => isRecorded)).toBe(true);
    for (const [index, story] of shown.entries())
      expect(tellStory(events.slice(0, index + 1))).toEqual(story);
  });

  it('is told the same after lost connections, whatever comes again', () => {
    const { shown, events } = followed.get(target) as Followed;
    fc.assert(
      fc.property(fc.nat(events.length - 1), fc.array(fc.nat(events.length)), (last, again) => {
        const draft = newDraft();
        for (const from of [0, ...again])
          for (const each of events.slice(from, last + 1)) takeEvent(draft, each);
        expect(storyOf(draft)).toEqual(shown[last]);
      }),
      runs(100, 1_000),
    );
  });
});

it('a workflow shows its whole graph, where it was, and what it wrote', () => {
  const { events } = followed.get('workflow:workflows/hb') as Followed;
  const first = tellStory(events.slice(0, 1));
  expect(first.steps.map(({ id, visits }) => [id, visits])).toEqual(
    ['step-01-intake', 'decide-02-project-type', 'step-03a-greenfield', 'step-03b-brownfield', 'end-99'].map(
      (id) => [id, 0],
    ),
  );
  expect(workflowStateOf(first)).toMatchObject({ done: [], decisions: [] });
  const last = tellStory(events);
  expect(last.steps.find(({ id }) => id === 'decide-02-project-type')).toMatchObject({
    type: 'decision',
    next: ['step-03a-greenfield', 'step-03b-brownfield'],
    taken: ['step-03a-greenfield'],
  });
  const { done, variables, artifacts, decisions } = workflowStateOf(last);
  expect(done).toEqual(['step-01-intake', 'decide-02-project-type', 'step-03a-greenfield', 'end-99']);
  expect([...variables]).toEqual([['projectType', 'greenfield']]);
  expect([...artifacts]).toEqual([
    ['artifacts/intake.md', 'a shop\n'],
    ['artifacts/plan.md', 'one\n'],
  ]);
  expect(decisions).toEqual(['decide-02-project-type → step-03a-greenfield']);
});
