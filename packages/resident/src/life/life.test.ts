import { certifyFeedback, KEYS } from '@cuebook/bundle';
import { createRehearsalProvider } from '@cuebook/provider';
import { describe, expect, test } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { NOW, newPlatform, prepared, publish } from '../../../bundle/test/platform.js';
import { must } from '../../../bundle/test/scratch.js';
import { AGENT, checkin, intro, live, options, own, RUN, town } from '../../test/life.js';
import { stage } from '../../test/stage.js';
import { RESIDENT_DEFAULTS } from '../resident.js';
import { SAMPLE_SCRIPT } from '../sample-script.js';
import type { Wish } from './deed.js';

describe('an agent', () => {
  itInTurn('introduces itself once for each version of its card', async () => {
    const platform = await town([intro]);
    const life = await live(await stage(), platform);
    await life.begin();
    await life.rounds(2);
    expect(own(platform)).toEqual([KEYS.message('welcome', AGENT, 'intro_card_v1')]);
    await publish(platform, prepared({ bio: 'new' }, 2), 2);
    await life.rounds(2);
    expect(own(platform).sort()).toEqual(
      [1, 2].map((n) => KEYS.message('welcome', AGENT, `intro_card_v${n}`)),
    );
    expect(
      (await life.data('deed.done')).filter((done) => (done as { scenario: string }).scenario === 'intro'),
    ).toHaveLength(2);
  });

  test('checks in once a day, in the time zone of the topic', async () => {
    const platform = await town([checkin]);
    // 23:59 in Shanghai, then 00:01.
    const life = await live(await stage(), platform, { now: Date.parse('2026-11-15T15:59:00Z') });
    await life.begin();
    expect(own(platform)).toEqual([KEYS.message('daily', AGENT, '20261115')]);
    await life.rounds(2);
    expect(own(platform)).toEqual(['20261115', '20261116'].map((day) => KEYS.message('daily', AGENT, day)));
    await life.rounds(3);
    expect(own(platform)).toHaveLength(2);
  });

  test('turns a proposal of a check-in into a request, and only where the topic allows it', async () => {
    const proposal = {
      type: 'propose_task',
      title: 'A guide',
      summary: 'x',
      visibility: 'public',
      expected_outputs: ['x'],
      tags: [],
      timebox_hours: 5,
    };
    const text = JSON.stringify({ checkin_text: 'Hi', proposal });
    const script = {
      lanes: { ...SAMPLE_SCRIPT.lanes, daily_checkin: Array.from({ length: 9 }, () => ({ text })) },
    };
    const rules = {
      day_boundary_timezone: 'UTC',
      proposal_quota_per_day: 1,
      proposal_types: ['propose_task' as const],
    };
    const open = await town([{ ...checkin, rules }]);
    const one = await live(await stage(), open, { provider: createRehearsalProvider({ script }) });
    await one.begin();
    expect(own(open)).toContain(KEYS.request('daily', AGENT, 'req_propose_task_20261115_01'));
    const shut = await town([checkin]);
    const other = await live(await stage(), shut, { provider: createRehearsalProvider({ script }) });
    await other.begin();
    expect(own(shut)).toEqual([]);
    expect(await other.data('deed.refused')).toMatchObject([{ scenario: 'daily_checkin' }]);
  });

  test('asks once more after an answer that breaks its contract, then refuses it and asks no more that day', async () => {
    const platform = await town([intro]);
    const script = {
      lanes: { ...SAMPLE_SCRIPT.lanes, intro: Array.from({ length: 9 }, () => ({ text: 'Too short.' })) },
    };
    const life = await live(await stage(), platform, { provider: createRehearsalProvider({ script }) });
    await life.begin();
    await life.rounds(3);
    const problems = ['the answer has 10 characters, 50 to 800 are asked for'];
    expect(await life.data('deed.corrected')).toEqual([{ problems }]);
    expect(await life.data('deed.refused')).toMatchObject([{ scenario: 'intro', problems }]);
    expect(own(platform)).toEqual([]);
  });

  test('never writes over what is there, though it did not see it', async () => {
    const platform = await town([intro]);
    const key = KEYS.message('welcome', AGENT, 'intro_card_v1');
    must(await platform.store.put(key, Buffer.from('the first one')));
    const objects = {
      ...platform.store,
      list: async () => ({ ok: true, value: { keys: [], next: undefined } }) as const,
    };
    const life = await live(await stage(), platform, { objects });
    await life.begin();
    await life.rounds(2);
    expect(String(platform.store.all.get(key))).toBe('the first one');
    const done = (await life.data('deed.done')).filter((each) => (each as { key: string }).key === key);
    expect(done).toMatchObject([{ scenario: 'intro', written: false }]);
  });

  test('whose thought is no answer rests', async () => {
    const platform = await town([], { autonomous: { enabled: true } });
    const script = {
      lanes: {
        ...SAMPLE_SCRIPT.lanes,
        motivation: Array.from({ length: 9 }, () => ({ text: '{"action":"fly"}' })),
      },
    };
    const life = await live(await stage(), platform, { provider: createRehearsalProvider({ script }) });
    await life.begin();
    await life.rounds(2);
    expect(await life.data('deed.refused')).toMatchObject([{ scenario: 'motivation' }]);
    expect(await life.data('action.chosen')).toEqual([{ action: 'rest', suggested: null }]);
  });

  test('puts what it thought of, and why, on record beside what it does', async () => {
    const platform = await town([], { autonomous: { enabled: true } });
    const thought = { action: 'explore', target: null, rationale: 'Somebody new is here.' };
    const script = {
      lanes: {
        ...SAMPLE_SCRIPT.lanes,
        motivation: Array.from({ length: 9 }, () => ({ text: JSON.stringify(thought) })),
      },
    };
    const life = await live(await stage(), platform, { provider: createRehearsalProvider({ script }) });
    await life.begin();
    await life.rounds(2);
    expect((await life.data('action.chosen'))[0]).toEqual({
      // Nobody is there to explore: it rests, whatever the model thought.
      action: 'rest',
      suggested: 'explore',
      rationale: 'Somebody new is here.',
      deviation: 'not-possible',
    });
  });

  test('does what its owner asks for, once and nothing else, and says why it cannot', async () => {
    const platform = await town([intro, checkin]);
    const life = await live(await stage(), platform);
    must(await life.engine.start());
    const config = { ...RESIDENT_DEFAULTS, pollMs: 60_000 };
    const ask = async (id: string, wish: Wish) => {
      must(await life.engine.submit(RUN, { id, type: 'resident.do', agent: AGENT, config, wish }));
      await life.engine.drain();
      must(await life.engine.submit(RUN, { id: `${id} stop`, type: 'resident.stop' }));
    };
    await ask('one', { scenario: 'daily_goals' });
    await ask('two', { scenario: 'intro', topic: 'welcome' });
    expect((await life.data('deed.done')).map((done) => (done as { scenario: string }).scenario)).toEqual([
      'daily_goals',
      'intro',
    ]);
    expect(own(platform)).toEqual([KEYS.message('welcome', AGENT, 'intro_card_v1')]);
    await ask('three', { scenario: 'intro' });
    await ask('four', { scenario: 'collab_review', task: 'guide' });
    await ask('five', { scenario: 'weekly_event' });
    await ask('six', { scenario: 'constructor' });
    const refused = (await life.data('wish.refused')) as unknown as readonly { readonly reason: string }[];
    expect(refused.map(({ reason }) => reason.slice(0, 24))).toEqual([
      'No topic waits for an in',
      'Nothing waits for a revi',
      'It is the platform that ',
      'There is no such scenari',
    ]);
    expect((await life.state()).wish).toBeNull();
  });

  test('keeps its goals of the day, and on the next day knows what became of them', async () => {
    const platform = await town([intro]);
    const goals = [
      { type: 'social', description: 'Say hello.', difficulty: 'easy' },
      { type: 'zen', description: 'Be calm.', difficulty: 'hard' },
    ];
    const script = {
      lanes: {
        ...SAMPLE_SCRIPT.lanes,
        daily_goals: Array.from({ length: 9 }, () => ({ text: JSON.stringify(goals) })),
      },
    };
    const life = await live(await stage(), platform, { provider: createRehearsalProvider({ script }) });
    await life.begin();
    expect((await life.state()).goals).toEqual(goals);
    await life.rounds(1, 24 * 60 * 60_000);
    const { past } = await life.state();
    expect(past?.goals.map(({ outcome }) => outcome)).toEqual(['open', 'untold']);
    const begun = (await life.data('deed.begun')) as unknown as readonly {
      scenario: string;
      values: object;
    }[];
    const told = begun.filter(({ scenario }) => scenario === 'daily_goals').map(({ values }) => values);
    expect(JSON.stringify(told[0])).not.toContain('goal of');
    expect(JSON.stringify(told[1])).toContain('goal of 2026-11-15, open: Say hello. (social, easy)');
  });

  test('learns from a like and still knows it after a restart; feedback that is not certified is not heard', async () => {
    const platform = await town([]);
    const about = KEYS.message('square', AGENT, 'to_bo_greet_20261115');
    const feedback = { id: 'fb_1', kind: 'like', about } as const;
    const at = await stage();
    const first = await live(at, platform);
    await first.begin();
    const thief = await newPlatform();
    must(
      await platform.store.put(
        KEYS.feedback(AGENT, 'fb_0'),
        must(certifyFeedback(AGENT, { ...feedback, id: 'fb_0' }, options(thief))),
      ),
    );
    must(
      await platform.store.put(
        KEYS.feedback(AGENT, 'fb_1'),
        must(certifyFeedback(AGENT, feedback, options(platform))),
      ),
    );
    await first.rounds(3);
    expect((await first.state()).memory.weights.explore).toBe(1.25);
    expect(await first.data('feedback.taken')).toHaveLength(1);
    await first.engine.stop();
    const second = await live(at, platform, { now: NOW + 240_000 });
    await second.begin();
    await second.rounds(2);
    expect((await second.state()).memory.weights.explore).toBe(1.25);
    expect(await second.data('feedback.taken')).toHaveLength(1);
  });
});
