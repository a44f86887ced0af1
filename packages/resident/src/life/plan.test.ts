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
  before: [],
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

  test('thinks about what to do next when something is new, and not again while nothing changes', () => {
    const quiet: Partial<Sight> = { peers: [{ ...bo, score: 0 }] };
    const first = plan(quiet, { thoughtAt: 0, online: ['bo'] }).planned;
    expect(first).toMatchObject({ thinks: true, signals: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const known = { thoughtAt: 0, online: ['bo'], signals: first.signals ?? '' };
    expect(plan(quiet, known).planned).toMatchObject({ thinks: false, deeds: [] });
    for (const more of [
      { peers: [] },
      { tasks: [task({ fits: 0 })] },
      {
        messages: [message({ toSelf: false })],
        topics: [topic('square', 'freeform', { activity: { messages: 1, speakers: 1 } })],
      },
    ])
      expect(plan({ ...quiet, ...more }, known).planned.thinks, JSON.stringify(more)).toBe(true);
    const tomorrow = { ...known, day: '20261116', today: { daily_goals: 1 } };
    expect(plan(quiet, tomorrow, NOON + 24 * 60 * 60_000).planned.thinks).toBe(true);
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

  test('tells a reply in a group the words before it, and who said each', () => {
    const before = [
      { key: 'a', from: 'cy', name: 'Cy', text: 'Who saw the owl?' },
      { key: 'b', from: 'ada', name: 'Ada', text: 'I did!' },
    ];
    const open = message({ toSelf: false, before, text: 'Where?' });
    const { options } = plan({ topics: [square], messages: [open] }, { thoughtAt: 0 }).planned;
    expect(options.join_group_chat?.[0]?.values).toEqual({
      chat_history: 'Cy: Who saw the owl?\nyou: I did!',
      incoming_message: 'Where?',
    });
  });

  test('tells whoever is asked to join how it stands with those who take part, and what it owes', () => {
    const bo2 = { name: 'Bo', heard: 1, said: 1, tasks: ['old'], friendSince: '20261101' };
    const others = [
      { agent: 'bo', role: 'proposer' },
      { agent: 'dot', role: 'painter' },
    ];
    const mine = task({
      ...{ task: 'map', title: 'A map', role: 'writer', hours: 5, others: [{ agent: 'dot', role: 'x' }] },
      answered: true,
    });
    const tried = { 'tasks/map/agents/ada/artifact.json': { day: '20261115', times: 3 } };
    const [deed] = plan(
      { peers: [bo], tasks: [task({ others }), mine] },
      { known: { bo: bo2 }, online: ['bo'], tried },
    ).planned.deeds;
    expect(deed).toMatchObject({ scenario: 'collab_join' });
    expect(deed?.values.relationships).toBe(
      'Bo (bo), proposer: 2 messages between you, 1 task together, friends since 2026-11-01, match 41.5 of 100\ndot, painter: 0 messages between you, 1 task together',
    );
    expect(deed?.values.current_load).toBe(
      'open: writer of "A map", within 5 hours\ndone today: 0 parts of tasks',
    );
    expect(plan({ tasks: [task()] }).planned.deeds[0]?.values).not.toHaveProperty('relationships');
  });

  test('asks for a word on the task that fits best, on that of a friend among equals, and on none with its hands full', () => {
    const friend = { bo: { name: 'Bo', heard: 1, said: 1, tasks: [], friendSince: '20261101' } };
    const far = task({ task: 'far', fits: 1 });
    const near = task({ task: 'near', fits: 1, others: [{ agent: 'bo', role: 'proposer' }] });
    const best = task({ task: 'best', fits: 2 });
    const asked = (tasks: Sight['tasks']) =>
      plan({ tasks }, { known: friend }).planned.deeds.map((deed) => deed.task);
    expect(asked([far, near, best])).toEqual(['best']);
    expect(asked([far, near])).toEqual(['near']);
    const busy = ['a', 'b', 'c'].map((id) => task({ task: id, role: 'writer', answered: true }));
    expect(asked([...busy, best])).toEqual(['a', 'b', 'c']);
  });

  test('tells an idle agent who is new, what groups say, which tasks are open, its goals, and what it can name', () => {
    const said = { key: 'k', from: 'cy', name: 'Cy', text: 'An owl!\nLook.' };
    const group = topic('square', 'freeform', {
      title: 'The square',
      activity: { messages: 12, speakers: 3, newest: said },
    });
    const [deed] = plan(
      {
        peers: [bo, { ...bo, agent: 'cy', name: 'Cy', score: 0 }],
        topics: [group],
        messages: [message({ toSelf: false })],
        tasks: [task({ fits: 0 })],
      },
      {
        thoughtAt: 0,
        online: ['bo'],
        goals: [{ type: 'social', description: 'Meet somebody.', difficulty: 'easy' }],
      },
    ).planned.deeds;
    expect(deed).toMatchObject({ scenario: 'motivation' });
    expect(deed?.values.signals?.split('\n')).toEqual([
      'agents online: 2: Bo (bo), Cy (cy)',
      'new among them: 1: Cy (cy)',
      'messages to you: 0',
      'group The square (square): 12 messages of 3 agents; the newest by Cy (cy): "An owl!\\nLook."',
      'open tasks: 1: A guide (guide)',
      'goal today, open: Meet somebody. (social, easy)',
      'you can do now, and name as target:',
      'explore: bo',
      'join_group_chat: bo',
      'join_collaboration: guide',
      'rest',
    ]);
  });

  test('tells the owner of new friends, of what was done, of goals met and open, and of work that is owed', () => {
    const [deed] = plan(
      { tasks: [task({ role: 'writer', answered: true, title: 'A map' })] },
      {
        known: {
          bo: { name: 'Bo', heard: 1, said: 2, tasks: [], friendSince: '20261115' },
          cy: { name: 'Cy', heard: 1, said: 1, tasks: [], friendSince: '20261101' },
        },
        deeds: [
          { scenario: 'daily_checkin', title: 'Day by day' },
          { scenario: 'greeting', to: 'bo' },
          { scenario: 'reply', to: 'cy' },
          { scenario: 'collab_review', to: 'dot', title: 'A guide' },
        ],
        goals: [
          { type: 'social', description: 'Meet somebody.', difficulty: 'easy' },
          { type: 'create', description: 'Write a page.', difficulty: 'hard' },
          { type: 'zen', description: 'Be calm.', difficulty: 'hard' },
        ],
        today: { daily_goals: 1, likes: 2 },
        tried: { 'tasks/guide/agents/ada/artifact.json': { day: '20261115', times: 3 } },
      },
      Date.parse('2026-11-15T21:00:00Z'),
    ).planned.deeds;
    expect(deed).toMatchObject({ scenario: 'daily_report' });
    expect(deed?.values.activity?.split('\n')).toEqual([
      'new friends: Bo (bo)',
      'talked with: Bo (bo), Cy (cy)',
      'did: checked in in "Day by day"',
      'did: reviewed the part of dot in "A guide"',
      'goal, met: Meet somebody. (social, easy)',
      'goal, open: Write a page. (create, hard)',
      'goal, not to be told from deeds: Be calm. (zen, hard)',
      'likes: 2',
      'open: writer of "A map"',
    ]);
  });

  test('sets goals knowing what became of those of the day before, its friends and its open work', () => {
    const [deed] = plan(
      { tasks: [task({ role: 'writer', title: 'A map', delivered: false })] },
      {
        day: '20261114',
        past: null,
        known: { bo: { name: 'Bo', heard: 1, said: 1, tasks: [], friendSince: '20261101' } },
      },
    ).planned.deeds;
    expect(deed?.values.self_state).toContain('friends: Bo (bo)\nopen: writer of "A map"\nagents online: 0');
    const goals = [
      { type: 'social', description: 'Meet somebody.', difficulty: 'easy', outcome: 'open' as const },
    ];
    const [next] = plan({}, { today: {}, past: { day: '20261114', goals } }).planned.deeds;
    expect(next?.values.self_state).toContain('goal of 2026-11-14, open: Meet somebody. (social, easy)');
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
