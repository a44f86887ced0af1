import { describe, expect, test } from 'vitest';
import { SIGHT, STATE, task, topic } from '../../test/sight.js';
import type { Sight } from '../look/sight.js';
import { planRound } from './plan.js';
import type { ResidentState } from './state.js';

const NOON = Date.parse('2026-11-15T12:00:30Z');
const plan = (sight: Partial<Sight>, state: Partial<ResidentState> = {}, now = NOON) =>
  planRound({ ...STATE, ...state }, { ...SIGHT, ...sight }, now);
const keys = (...args: Parameters<typeof plan>) =>
  plan(...args).planned.deeds.map(({ scenario, key }) => `${scenario} ${key}`.trim());

const bo = { agent: 'bo', name: 'Bo', score: 41.5 };
const square = topic('square', 'freeform');
const message = (more: Partial<Sight['messages'][number]> = {}): Sight['messages'][number] => ({
  key: 'topics/square/messages/bo/to_ada_greet_20261115.json',
  topic: 'square',
  from: 'bo',
  name: 'Bo',
  text: 'Hello?',
  toSelf: true,
  ...more,
});
const silent = { autonomous: { ...SIGHT.self.autonomous, enabled: false } };
const still = { autonomous: { ...SIGHT.self.autonomous, auto_accept_matching: false } };

describe('a round', () => {
  test.each<[string, Parameters<typeof plan>, readonly string[]]>([
    [
      'an introduction, for a card that has none',
      [{ topics: [topic('w', 'intro_once')] }],
      ['intro topics/w/messages/ada/intro_card_v1.json'],
    ],
    ['no introduction twice', [{ topics: [topic('w', 'intro_once', { own: ['intro_card_v1'] })] }], []],
    [
      'one more for a new version of the card',
      [
        {
          self: { ...SIGHT.self, cardVersion: 2 },
          topics: [topic('w', 'intro_once', { own: ['intro_card_v1'] })],
        },
      ],
      ['intro topics/w/messages/ada/intro_card_v2.json'],
    ],
    [
      'a check-in on a new day of the topic',
      [{ topics: [topic('d', 'daily_checkin')] }],
      ['daily_checkin topics/d/messages/ada/20261115.json'],
    ],
    ['no check-in twice', [{ topics: [topic('d', 'daily_checkin', { own: ['20261115'] })] }], []],
    ['nothing in a mode that is not known', [{ topics: [topic('x', 'drum_pass')] }], []],
    ['goals on a new day', [{}, { day: '20261114' }], ['daily_goals']],
    [
      'a greeting for who is new and has something in common',
      [{ topics: [square], peers: [bo] }],
      ['greeting topics/square/messages/ada/to_bo_greet_20261115.json'],
    ],
    ['none with a score of 0', [{ topics: [square], peers: [{ ...bo, score: 0 }] }], []],
    ['none for who was there before', [{ topics: [square], peers: [bo] }, { online: ['bo'] }], []],
    [
      'none twice a day',
      [{ topics: [topic('square', 'freeform', { own: ['to_bo_greet_20261115'] })], peers: [bo] }],
      [],
    ],
    [
      'none from an agent that does nothing by itself',
      [{ self: { ...SIGHT.self, ...silent }, topics: [square], peers: [bo] }],
      [],
    ],
    [
      'an answer before a greeting',
      [{ topics: [square], peers: [bo], messages: [message()] }],
      ['reply topics/square/messages/ada/to_bo_re_bfc248a811d75e0b.json'],
    ],
    [
      'no fourth answer to one agent on one day',
      [{ topics: [square], messages: [message()] }, { today: { daily_goals: 1, 'reply to bo': 3 } }],
      [],
    ],
    [
      'what came to nothing three times waits',
      [
        { topics: [topic('w', 'intro_once')] },
        { tried: { 'topics/w/messages/ada/intro_card_v1.json': { day: '20261115', times: 3 } } },
      ],
      [],
    ],
    ['a word on a task that fits', [{ tasks: [task()] }], ['collab_join tasks/guide/agents/ada/answer.json']],
    ['none on one that does not', [{ tasks: [task({ fits: 0 })] }], []],
    [
      'none without being told to accept what matches',
      [{ self: { ...SIGHT.self, ...still }, tasks: [task()] }],
      [],
    ],
    [
      'its part, with a role',
      [{ tasks: [task({ role: 'writer', answered: true })] }],
      ['collab_execute tasks/guide/agents/ada/artifact.json'],
    ],
    ['not twice', [{ tasks: [task({ role: 'writer', delivered: true })] }], []],
    [
      'a review of what the others made',
      [{ tasks: [task({ role: 'reviewer', toReview: [{ agent: 'bo', key: 'k', text: 'x' }] })] }],
      ['collab_review tasks/guide/agents/ada/review_bo.json'],
    ],
    ['a report in the evening', [{}, {}, Date.parse('2026-11-15T21:00:00Z')], ['daily_report']],
    [
      'one report',
      [
        {},
        { today: { daily_goals: 1, daily_report: 1 }, thoughtAt: NOON * 2 },
        Date.parse('2026-11-15T21:00:00Z'),
      ],
      [],
    ],
    ['a thought when there is nothing else', [{}, { thoughtAt: 0 }], ['motivation']],
    [
      'no thought when the card says that it does nothing by itself',
      [{ self: { ...SIGHT.self, ...silent } }, { thoughtAt: 0 }],
      [],
    ],
  ])('has %s', (_, args, expected) => {
    expect(keys(...args)).toEqual(expected);
  });

  test('offers an idle agent only what can be done', () => {
    const options = (sight: Partial<Sight>) =>
      Object.keys(plan(sight, { thoughtAt: 0, online: ['bo'] }).planned.options);
    expect(options({})).toEqual([]);
    const allowed = topic('d', 'daily_checkin', {
      own: ['20261115'],
      policy: { allowed: true, quota_remaining: 1, allowed_types: ['propose_task'] },
    });
    const busy = {
      peers: [bo],
      topics: [square, allowed],
      tasks: [task({ fits: 0 })],
      messages: [message({ toSelf: false })],
    };
    expect(options(busy).sort()).toEqual([
      'explore',
      'join_collaboration',
      'join_group_chat',
      'propose_collaboration',
    ]);
  });

  test('tells a reply what was said before, oldest first, and who said it', () => {
    const talks = {
      bo: [
        { from: 'bo', text: 'Seen the owl?', key: 'a' },
        { from: 'ada', text: 'Not yet!', key: 'b' },
        { from: 'bo', text: 'Hello?', key: message().key },
      ],
    };
    const [deed] = plan({ messages: [message()] }, { talks }).planned.deeds;
    expect(deed?.values).toEqual({
      chat_history: 'Bo: Seen the owl?\nyou: Not yet!',
      incoming_message: 'Hello?',
    });
  });

  test('tells whoever is asked to join how it stands with those who take part, in numbers', () => {
    const said = (from: string, key: string) => ({ from, text: 'x', key });
    const talks = { bo: [said('bo', 'a'), said('ada', 'b')], cy: [said('cy', 'c')] };
    const others = [
      { agent: 'bo', role: 'proposer' },
      { agent: 'dot', role: 'painter' },
    ];
    const mine = task({
      task: 'map',
      role: 'writer',
      delivered: true,
      others: [{ agent: 'dot', role: 'x' }],
    });
    const [deed] = plan({ tasks: [task({ others }), mine] }, { talks }).planned.deeds;
    expect(deed).toMatchObject({ scenario: 'collab_join' });
    expect(deed?.values.relationships).toBe(
      'bo (proposer): 2 messages between you lately, 0 tasks together\ndot (painter): 0 messages between you lately, 1 task together',
    );
    expect(plan({ tasks: [task()] }).planned.deeds[0]?.values).not.toHaveProperty('relationships');
  });

  test('tells an idle agent of new partners, of what groups say and of open tasks', () => {
    const [deed] = plan(
      {
        peers: [bo, { ...bo, agent: 'cy', score: 0 }],
        messages: [message({ toSelf: false })],
        tasks: [task({ fits: 0 })],
      },
      { thoughtAt: 0, online: ['bo'] },
    ).planned.deeds;
    expect(deed).toMatchObject({ scenario: 'motivation' });
    expect(deed?.values.signals?.split('\n')).toEqual([
      'agents online: 2',
      'new among them: 1',
      'messages to you: 0',
      'messages in groups: 1',
      'open tasks: 1',
    ]);
  });

  test('lets a check-in propose only what the topic allows, and says how much is left', () => {
    const policy = { allowed: true, quota_remaining: 2, allowed_types: ['propose_task'] };
    const [deed] = plan({ topics: [topic('d', 'daily_checkin', { policy, requests: 1 })] }).planned.deeds;
    expect(deed).toMatchObject({ policy, requestKey: 'topics/d/requests/ada/req_TYPE_20261115_02.json' });
    expect(deed?.values.proposal_policy_json).toBe(JSON.stringify(policy));
  });

  test('takes feedback on its own objects alone', () => {
    const about = (key: string) => ({ id: 'f', key: 'k', kind: 'like', about: key }) as const;
    const taken = (key: string) => plan({ feedback: [about(key)] }).feedback.map(({ action }) => action);
    expect(taken('topics/square/messages/ada/to_bo_greet_20261115.json')).toEqual(['explore']);
    expect(taken('topics/square/messages/ada/to_bo_re_0123456789abcdef.json')).toEqual(['join_group_chat']);
    expect(taken('topics/daily/requests/ada/req_propose_task_20261115_01.json')).toEqual([
      'propose_collaboration',
    ]);
    expect(taken('tasks/guide/agents/ada/artifact.json')).toEqual(['join_collaboration']);
    expect(taken('tasks/guide/agents/bo/artifact.json')).toEqual([]);
    expect(taken('agents/all/ada.json')).toEqual([]);
  });
});
