import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { must, reasonOf } from '../../test/scratch.js';
import { KEYS } from '../ids.js';
import { type MeetingPlace, type PlaceInput, placeSchema } from '../place/manifest.js';
import { coversCreate } from './credential.js';
import { MAX_POLICY, sessionPolicy } from './policy.js';
import { type AskedAccess, isAllowed } from './scope.js';
import { type Member, type Purpose, purposeOf, scopeOf } from './scope-of.js';

const NOW = Date.UTC(2026, 10, 15, 15, 59, 30); // One minute to midnight in Shanghai is 15:59.
const member = (agent: string, circles: readonly string[] = []): Member => ({
  agent,
  cardVersion: 3,
  circles: new Set(circles),
});
const place = (input: PlaceInput): MeetingPlace => placeSchema.parse(input);
const writes = (input: PlaceInput, agent = 'ada', now = NOW) => {
  const scope = scopeOf(member(agent), { kind: input.kind, id: input.id } as Purpose, place(input), now);
  return must(scope)
    .rules.filter(({ may }) => may === 'create' || may === 'put')
    .map(({ at }) => at);
};
const topic = (more: object): PlaceInput =>
  ({ kind: 'topic', id: 't', title: 'T', mode: 'freeform', ...more }) as PlaceInput;

describe('the scope of an admitted agent', () => {
  const registry = must(scopeOf(member('ada'), { kind: 'registry' }, undefined, NOW));
  const cases: readonly (readonly [AskedAccess['act'], string, boolean])[] = [
    ['get', KEYS.card('ada'), true],
    ['get', KEYS.bundle('ada'), true],
    ['get', 'trust/agents/ada/1.snapshot.json', true],
    ['get', 'trust/shared/2.root.json', true],
    ['get', 'log/checkpoint.json', true],
    ['get', KEYS.card('open'), true],
    ['get', KEYS.card('shut'), false],
    ['get', KEYS.bundle('ada2'), false],
    ['get', KEYS.bundle('bo'), false],
    ['get', 'trust/agents/ada2/1.snapshot.json', false],
    ['put', KEYS.heartbeat('ada'), true],
    ['create', KEYS.heartbeat('ada'), true],
    ['put', KEYS.heartbeat('bo'), false],
    ['put', KEYS.card('ada'), false],
    ['put', KEYS.bundle('ada'), false],
    ['put', KEYS.topic('t'), false],
    ['list', 'agents/all/', true],
    ['list', 'agents/heartbeats/41/', true],
    ['list', 'agents/all', false],
    ['list', 'agents/prompts/', false],
    ['list', '', false],
    ['remove', KEYS.heartbeat('ada'), false],
  ];
  test.each(cases)('%s %s is allowed: %s', (act, key, is) => {
    expect(isAllowed(registry, { act, key }, (asked) => asked === KEYS.card('open'))).toBe(is);
  });

  test.each([
    ['intro_once', ['topics/t/messages/ada/intro_card_v3.json']],
    ['daily_checkin', ['topics/t/messages/ada/20261115.json']],
    ['freeform', ['topics/t/messages/ada/']],
    ['threaded', ['topics/t/messages/ada/']],
    ['a mode of tomorrow', []],
  ])('in a topic of mode %s opens for writing %j', (mode, keys) => {
    expect(writes(topic({ mode }))).toEqual(keys);
    expect(writes(topic({ mode, state: 'closed' }))).toEqual([]);
  });

  test('opens the day of the topic’s own time zone, and as many requests as the quota', () => {
    const rules = { proposal_quota_per_day: 2, proposal_types: ['propose_task'] };
    const at = (now: number) => writes(topic({ mode: 'daily_checkin', rules }), 'ada', now);
    expect(at(NOW)).toEqual([
      'topics/t/messages/ada/20261115.json',
      'topics/t/requests/ada/req_propose_task_20261115_01.json',
      'topics/t/requests/ada/req_propose_task_20261115_02.json',
    ]);
    expect(at(NOW + 60_000)[0]).toBe('topics/t/messages/ada/20261116.json');
  });

  test('opens a task folder for who takes part, and the request to join for who does not belong', () => {
    const task: PlaceInput = {
      kind: 'task',
      id: 'k',
      title: 'K',
      participants: [{ agent_id: 'ada', role: 'r' }],
    };
    expect(writes(task)).toEqual(['tasks/k/agents/ada/']);
    expect(writes(task, 'bo')).toEqual(['tasks/k/agents/bo/answer.json']);
    const circle: PlaceInput = { kind: 'circle', id: 'c', title: 'C', members: ['ada'] };
    expect(writes(circle)).toEqual([]);
    expect(writes(circle, 'bo')).toEqual(['circles/c/join_requests/bo.json']);
  });

  test('follows the visibility of a place', () => {
    const ask = (who: Member, input: PlaceInput) =>
      reasonOf(scopeOf(who, { kind: 'topic', id: 't' }, place(input), NOW));
    const inCircle = topic({ visibility: 'circle', circle_id: 'c' });
    expect(ask(member('ada'), topic({}))).toBe('ok');
    expect(ask(member('ada', ['c']), inCircle)).toBe('ok');
    expect(ask(member('ada', ['d']), inCircle)).toBe('E_ACCESS not-visible');
    expect(ask(member('ada'), topic({ visibility: 'invited', invited: ['ada'] }))).toBe('ok');
    expect(ask(member('bo'), topic({ visibility: 'invited', invited: ['ada'] }))).toBe(
      'E_ACCESS not-visible',
    );
    expect(ask(member('ada'), topic({ id: 'other' }))).toBe('E_ACCESS not-visible');
    expect(reasonOf(scopeOf(member('ada'), { kind: 'topic', id: 't' }, undefined, NOW))).toBe(
      'E_ACCESS not-visible',
    );
  });

  test.each(['*', 'a*', '../b', 'a/b', '', 'A', '$' + '{x}', '?'])('has no place for the id %j', (id) => {
    expect(reasonOf(scopeOf(member('ada'), { kind: 'topic', id }, place(topic({})), NOW))).toBe(
      'E_ACCESS bad-id',
    );
    expect(reasonOf(scopeOf(member(id), { kind: 'registry' }, undefined, NOW))).toBe('E_ACCESS bad-id');
  });
});

describe('the policy of a session', () => {
  const id = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/);
  const purposes = fc.oneof(
    fc.constant<PlaceInput | undefined>(undefined),
    id.map((one): PlaceInput => ({ kind: 'topic', id: one, title: 'T', mode: 'freeform' })),
    id.map((one): PlaceInput => ({ kind: 'circle', id: one, title: 'C' })),
    id.map((one): PlaceInput => ({ kind: 'task', id: one, title: 'K' })),
  );

  test('for all ids: fits, and has stars only at the end of a place', () => {
    fc.assert(
      fc.property(id, purposes, fc.integer({ min: 3, max: 63 }), (agent, input, size) => {
        const purpose =
          input === undefined ? { kind: 'registry' as const } : { kind: input.kind, id: input.id };
        const scope = must(scopeOf(member(agent), purpose, input && place(input), NOW));
        const policy = must(sessionPolicy(scope, { bucket: 'b'.repeat(size) }));
        expect(policy.length).toBeLessThanOrEqual(MAX_POLICY);
        const strings = [...policy.matchAll(/"([^"]*\*[^"]*)"/g)].map(([, text = '']) => text);
        for (const text of strings) expect(text).toMatch(/^[^*]*\/\*$/);
      }),
      runs(200, 5000),
    );
  });

  test('of the longest ids fits as well', () => {
    const longest = 'z'.repeat(64);
    for (const input of [
      undefined,
      topic({ id: longest }),
      {
        kind: 'task',
        id: longest,
        title: 'K',
        participants: [{ agent_id: longest, role: 'r' }],
      } as PlaceInput,
    ]) {
      const purpose =
        input === undefined ? { kind: 'registry' as const } : { kind: input.kind, id: input.id };
      const scope = must(scopeOf(member(longest), purpose, input && place(input), NOW));
      expect(reasonOf(sessionPolicy(scope, { bucket: 'b'.repeat(63) }))).toBe('ok');
    }
    const many = {
      agent: 'ada',
      rules: Array.from({ length: 40 }, (_, n) => ({
        may: 'get' as const,
        at: `topics/t${n}/manifest.json`,
      })),
    };
    expect(reasonOf(sessionPolicy(many, { bucket: 'b'.repeat(63) }))).toBe('E_ACCESS policy-too-long');
  });

  test('an address is signed only for a key that every store reads alike, below what the scope opens', () => {
    const scope = must(scopeOf(member('ada'), { kind: 'topic', id: 't' }, place(topic({})), NOW));
    const covers = (key: string, length = 10) => coversCreate(scope, { key, length });
    expect(covers('topics/t/messages/ada/hello.json')).toBe(true);
    const own = 'topics/t/messages/ada/';
    for (const key of [
      '../bo/x.json',
      'a/../../bo/x.json',
      './x.json',
      '//x.json',
      '',
      'é.json',
      'x y.json',
      '*',
      'x?.json',
      '.x',
      'X.json',
      'x\n.json',
      'x'.repeat(600),
    ])
      expect(covers(`${own}${key}`), key).toBe(false);
    fc.assert(
      fc.property(fc.string(), (rest) => {
        if (covers(`${own}${rest}`)) expect(rest).toMatch(/^[a-z0-9_-][a-z0-9._/-]*$/);
        expect(rest.split('/').includes('..') && covers(`${own}${rest}`)).toBe(false);
      }),
      runs(300, 5000),
    );
    for (const length of [-1, 1.5, Number.NaN, 1024 * 1024 + 1])
      expect(covers(`${own}x.json`, length)).toBe(false);
  });

  test('never grants a write that must not overwrite', () => {
    const scope = must(scopeOf(member('ada'), { kind: 'topic', id: 't' }, place(topic({})), NOW));
    expect(must(sessionPolicy(scope, { bucket: 'bucket' }))).not.toContain('PutObject');
  });

  test.each([
    ['topics/t/messages/ada/1.json', { kind: 'topic', id: 't' }],
    ['tasks/k/', { kind: 'task', id: 'k' }],
    ['circles/c/manifest.json', { kind: 'circle', id: 'c' }],
    ['agents/all/', { kind: 'registry' }],
    ['topics/', { kind: 'registry' }],
  ])('%s is asked for as %j', (key, purpose) => {
    expect(purposeOf(key)).toEqual(purpose);
  });
});
