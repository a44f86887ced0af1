import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { CrashPolicy, EngineEvent, EventShape } from '../machine.js';
import { type Observation, recover } from './recover.js';

const intended = (id: string, onCrash: CrashPolicy): EngineEvent => ({
  type: 'effect.intended',
  data: { id, kind: 'k', lane: 'l', input: null, onCrash },
});
const begun = (id: string, attempt = 1): EngineEvent => ({
  type: 'effect.begun',
  data: { id, attempt, owner: 'o' },
});
const asked = (id: string): EngineEvent => ({ type: 'effect.asked', data: { id } });
const reopened = (id: string): EngineEvent => ({ type: 'effect.reopened', data: { id } });
const settled = (id: string): EngineEvent => ({
  type: 'effect.settled',
  data: { id, outcome: { ok: true, output: null }, by: 'driver' },
});
const done: Observation = { state: 'done', outcome: { ok: true, output: 7 } };

const CASES: readonly (readonly [
  string,
  readonly EngineEvent[],
  Observation | undefined,
  readonly unknown[],
])[] = [
  ['nothing open, nothing to do', [intended('a', 'repeat'), begun('a'), settled('a')], undefined, []],
  ['not begun, to repeat: perform', [intended('a', 'repeat')], undefined, [['perform', 1]]],
  ['not begun, ask the world: perform', [intended('a', 'ask-world')], undefined, [['perform', 1]]],
  ['not begun, ask a person: perform', [intended('a', 'ask-person')], undefined, [['perform', 1]]],
  ['begun, to repeat: perform again', [intended('a', 'repeat'), begun('a')], undefined, [['perform', 2]]],
  ['begun, ask the world: look', [intended('a', 'ask-world'), begun('a')], undefined, [['observe']]],
  ['begun, the world says done: settle', [intended('a', 'ask-world'), begun('a')], done, [['settle', 7]]],
  [
    'begun, the world says not done: perform again',
    [intended('a', 'ask-world'), begun('a')],
    { state: 'not-done' },
    [['perform', 2]],
  ],
  [
    'begun, the world does not know: ask',
    [intended('a', 'ask-world'), begun('a')],
    { state: 'unknown' },
    [['ask']],
  ],
  ['begun, ask a person: ask', [intended('a', 'ask-person'), begun('a')], undefined, [['ask']]],
  [
    'begun, ask a person, whatever the world says: ask',
    [intended('a', 'ask-person'), begun('a')],
    done,
    [['ask']],
  ],
  ['asked: wait', [intended('a', 'ask-person'), begun('a'), asked('a')], undefined, [['wait']]],
  [
    'asked, and the world found again: wait',
    [intended('a', 'ask-world'), begun('a'), asked('a')],
    done,
    [['wait']],
  ],
  [
    'reopened by a person: perform again',
    [intended('a', 'ask-person'), begun('a'), asked('a'), reopened('a')],
    undefined,
    [['perform', 2]],
  ],
  [
    'crashed twice: the third try',
    [intended('a', 'repeat'), begun('a'), begun('a', 2)],
    undefined,
    [['perform', 3]],
  ],
  [
    'several, in the order of their intents',
    [intended('b', 'repeat'), intended('a', 'ask-person'), begun('a')],
    undefined,
    [['perform', 1], ['ask']],
  ],
  ['a timer that is set: arm', [{ type: 'timer.set', data: { id: 't', at: 9 } }], undefined, [['arm', 9]]],
  [
    'timers that fired or were cleared: nothing',
    [
      { type: 'timer.set', data: { id: 't', at: 9 } },
      { type: 'timer.set', data: { id: 'u', at: 9 } },
      { type: 'timer.fired', data: { id: 't' } },
      { type: 'timer.cleared', data: { id: 'u' } },
    ],
    undefined,
    [],
  ],
];

describe('recover', () => {
  test.each(CASES)('%s', (_, log, seen, expected) => {
    const observed = new Map(seen ? [['a', seen] as const] : []);
    const short = recover(log, observed).map((action) => {
      if (action.type === 'perform') return ['perform', action.attempt];
      if (action.type === 'settle') return ['settle', action.outcome.ok && action.outcome.output];
      return action.type === 'arm' ? ['arm', action.at] : [action.type];
    });
    expect(short).toEqual(expected);
  });

  test('every open intent of any log gets exactly one action, and none is a guess', () => {
    const event = fc.oneof(
      fc
        .tuple(id(), fc.constantFrom<CrashPolicy>('repeat', 'ask-world', 'ask-person'))
        .map(([a, p]) => intended(a, p)),
      fc.tuple(id(), fc.integer({ min: 1, max: 9 })).map(([a, n]) => begun(a, n)),
      id().map(asked),
      id().map(reopened),
      id().map(settled),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (log) => {
        const open = openBySearch(log);
        const actions = recover(log).filter(({ type }) => type !== 'arm') as {
          effect: { id: string };
          type: string;
        }[];
        expect(actions.map(({ effect }) => effect.id).sort()).toEqual([...open.keys()].sort());
        for (const { effect, type } of actions) {
          if (type === 'perform') expect(open.get(effect.id)).toBe('safe');
          else expect(open.get(effect.id)).toBe('unsure');
        }
      }),
      runs(500, 20_000),
    );
  });
});

const id = () => fc.constantFrom('a', 'b', 'c');

/** What is open, found from the end of the log: `safe` to do now, or `unsure`. */
function openBySearch(log: readonly EventShape[]): ReadonlyMap<string, 'safe' | 'unsure'> {
  const open = new Map<string, 'safe' | 'unsure'>();
  for (const name of ['a', 'b', 'c']) {
    const about = log.filter(({ data }) => (data as { id: string }).id === name);
    const last = (...types: string[]) => about.findLastIndex(({ type }) => types.includes(type));
    const intent = last('effect.intended');
    if (intent < 0 || last('effect.settled') > intent) continue;
    const since = about.slice(Math.max(intent, last('effect.reopened')) + 1);
    const isBegun = since.some(({ type }) => type === 'effect.begun');
    const isAsked = since.some(({ type }) => type === 'effect.asked');
    const policy = (about[intent] as unknown as { data: { onCrash: CrashPolicy } }).data.onCrash;
    open.set(name, !isAsked && (!isBegun || policy === 'repeat') ? 'safe' : 'unsure');
  }
  return open;
}
