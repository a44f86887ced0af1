import { createHash } from 'node:crypto';
import { createRehearsalProvider } from '@cuebook/provider';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { expect } from 'vitest';
import { must } from '../../../../packages/bundle/test/scratch.js';
import { REDACTOR, stage } from '../../../../packages/resident/test/stage.js';
import { itInTurn as test } from '../../../../test/runs.js';
import { liveDay } from './day.js';
import { SAMPLE_CARDS, sampleHappenings } from './sample.js';

const START = Date.parse('2026-11-15T06:00:00Z');

async function rehearse(hours?: number) {
  const at = await stage();
  const notes: string[] = [];
  const report = must(
    await liveDay({
      ...at,
      cards: SAMPLE_CARDS,
      voice: { provider: createRehearsalProvider({ script: SAMPLE_SCRIPT }), redactor: REDACTOR },
      start: START,
      ...(hours !== undefined && { hours }),
      happenings: sampleHappenings(SAMPLE_CARDS),
      note: ({ at: time, agent, text }) =>
        notes.push(`${new Date(time).toISOString().slice(11, 16)} ${agent} ${text}`),
    }),
  );
  const dayOf = (agent: string) => {
    const found = report.agents.find((each) => each.agent === agent);
    if (found === undefined) throw new Error(agent);
    return found;
  };
  return { ...at, report, notes, dayOf };
}

test('a day in the life of three agents, rehearsed', async () => {
  const { report, notes, dayOf, objects, verify } = await rehearse();

  for (const { deeds, refused, failed, verificationFailures, card, bundle, report: told } of report.agents) {
    // Once for its card, once a day.
    expect(deeds).toMatchObject({ intro: 1, daily_checkin: 1, daily_goals: 1, daily_report: 1 });
    expect([...refused, ...failed, ...verificationFailures]).toEqual([]);
    expect({ card, bundle }).toEqual({ card: 1, bundle: 1 });
    expect(told).toHaveLength(101);
  }
  const ada = dayOf('ada');
  const bo = dayOf('bo');
  const cy = dayOf('cy');
  // Greetings go only to who has something in common: Bo and Cy share nothing.
  const greetings = report.agents.flatMap(({ objects: keys }) =>
    keys.filter((key) => key.includes('_greet_')),
  );
  expect(greetings).toContain('topics/square/messages/bo/to_ada_greet_20261115.json');
  expect(greetings).toContain('topics/square/messages/cy/to_ada_greet_20261115.json');
  expect(greetings.filter((key) => /bo\/to_cy|cy\/to_bo/.test(key))).toEqual([]);
  // They are answered, and the conversation ends by itself.
  expect(ada.deeds.reply).toBeGreaterThanOrEqual(2);
  expect(Math.max(...report.agents.map(({ deeds }) => deeds.reply ?? 0))).toBeLessThanOrEqual(6);
  // A collaboration: proposed, joined, done, reviewed by who had the idea.
  const request = 'topics/daily/requests/ada/req_propose_task_20261115_01.json';
  const task = `tasks/task_${createHash('sha256').update(request).digest('hex').slice(0, 16)}`;
  expect(ada.objects).toContain(request);
  expect(bo.objects).toEqual(
    expect.arrayContaining([`${task}/agents/bo/answer.json`, `${task}/agents/bo/artifact.json`]),
  );
  expect(cy.objects).toEqual(
    expect.arrayContaining([`${task}/agents/cy/answer.json`, `${task}/agents/cy/artifact.json`]),
  );
  expect(ada.objects).toEqual(
    expect.arrayContaining([`${task}/agents/ada/review_bo.json`, `${task}/agents/ada/review_cy.json`]),
  );
  const index = JSON.parse(
    Buffer.from(must(await objects.get(`${task}/agents/bo/index.json`))).toString('utf8'),
  );
  expect(index).toMatchObject({
    kind: 'task_index',
    agent_id: 'bo',
    keys: [`${task}/agents/bo/answer.json`, `${task}/agents/bo/artifact.json`],
  });
  // Likes change what is done: of 1,000 seeded decisions more fall on what was liked, and none dies out.
  expect(ada.feedback).toBe(4);
  expect(ada.weights.propose_collaboration).toBeGreaterThan(2);
  const { before, after } = ada.decisions;
  expect(after.propose_collaboration).toBeGreaterThan(before.propose_collaboration + 50);
  for (const [action, count] of Object.entries(after)) expect(count, action).toBeGreaterThan(0);
  expect(bo.decisions.after).toEqual(bo.decisions.before);
  expect(notes.some((note) => note.includes('ada heard a comment for propose_collaboration'))).toBe(true);
  // Nothing is written twice, and everything is where it was said to be, under the agent's own prefix.
  const written = report.agents.flatMap(({ objects: keys }) => keys);
  expect(new Set(written).size).toBe(written.length);
  for (const { agent, objects: keys } of report.agents)
    for (const key of keys) {
      expect(key).toMatch(new RegExp(`/(?:messages|requests|agents)/${agent}/`));
      const post = JSON.parse(Buffer.from(must(await objects.get(key))).toString('utf8'));
      expect(post).toMatchObject({ agent_id: agent, scenario_version: 1 });
    }
  // What each was told is on record, and signed.
  for (const { run } of report.agents) expect(await verify(run)).toMatchObject({ ok: true });
});

test('the same answers make the same day', async () => {
  const one = await rehearse(3);
  const other = await rehearse(3);
  expect(one.notes.length).toBeGreaterThan(20);
  expect(other.notes).toEqual(one.notes);
});
