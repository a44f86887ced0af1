import type { RunId, StoredEvent } from '@cuebook/journal';
import type { JsonValue, Origin } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { emptyHeld, findHolder, type HeldIn, holdEvent } from './held-in.js';

const EVENTS: readonly (readonly [string, JsonValue])[] = [
  ['run.started', { by: 'owner', mode: 'AUTO', goal: 'Greet visitors in German.' }],
  ['node.added', { node: { id: 'node_0123456789abcdef', alias: 'lead' } }],
  ['message.told', { message: { from: 'person', text: 'yes' } }],
  ['budget.held', { tokens: 3 }],
  ['message.told', { message: { from: 'person', text: 'yes' } }],
  ['mail.read', { path: 'mail/a.json', text: 'Hello there.' }],
  ['mail.read', { path: 'mail/b.json', text: 'Hello there.' }],
  ['node.woken', { node: 'node_0123456789abcdef' }],
];

function heldOf(events: readonly (readonly [string, JsonValue])[]): HeldIn {
  const held = emptyHeld();
  for (const [at, [type, data]] of events.entries()) {
    const place = { run: 'run_a' as RunId, seq: at + 1, position: at, at };
    const event: StoredEvent = { ...place, command: '', hash: '', type, data };
    holdEvent(held, event, `run_a#${at + 1}`);
  }
  return held;
}

const held = heldOf(EVENTS);

const input = (ref: string): Origin => ({ kind: 'input', ref });
const fact = (ref: string): Origin => ({ kind: 'variable', ref });

it.each([
  ['the name under which an event holds it', fact('run mode'), 'AUTO', {}, 1, 'certain'],
  ['the last time that it was said', input('message-2'), 'yes', {}, 5, 'guess'],
  ['as many times before as later blocks repeat it', input('message-1'), 'yes', { repeats: 1 }, 3, 'guess'],
  ['nothing that is later than the turn', input('message-1'), 'yes', { before: 5 }, 3, 'guess'],
  ['the source that its origin names, of several', input('mail/a.json'), 'Hello there.', {}, 6, 'certain'],
  ['one of several that say the same', input('mail'), 'Hello there.', {}, 7, 'guess'],
  ['the event that made an id', fact('known nodes'), 'node_0123456789abcdef', {}, 2, 'certain'],
  ['a part of a longer text', input('goal'), 'visitors in German', {}, 1, 'certain'],
  ['an id within it', fact('pending'), 'lead, for node_0123456789abcdef', {}, 2, 'guess'],
  ['the last event about the thing', fact('budget'), '19', {}, 4, 'guess'],
  ['the beginning, for what nobody repeats', input('focus'), 'Rounding.', {}, 1, 'guess'],
  ['nothing', { kind: 'value', ref: 'settings' } as const, '100', {}, undefined, undefined],
])('a text leads to %s', (_why, origin, text, more, seq, how) => {
  const question = { origin, text, before: Number.POSITIVE_INFINITY, repeats: 0, ...more };
  const found = findHolder(held, question);
  expect(found?.event.seq).toBe(seq);
  expect(found && (found.guess === undefined ? 'certain' : 'guess')).toBe(how);
});

it('for all logs: what is told without a doubt is the only event that holds the words, or holds them by their name', () => {
  const word = fc.constantFrom(
    'yes',
    'no',
    'Greet visitors',
    'Greet visitors in German',
    'lead',
    'mail/a',
    '7',
  );
  const name = fc.constantFrom('text', 'goal', 'mode', 'path', 'mail', 'run');
  const data = fc.dictionary(
    name,
    fc.oneof(word, fc.array(word, { maxLength: 2 }), fc.integer({ max: 9, min: 0 })),
  );
  const type = fc.constantFrom('run.started', 'mail.read', 'message.told', 'budget.spent');
  const logs = fc.array(fc.tuple(type, data), { maxLength: 6 });
  const kind = fc.constantFrom('input', 'variable', 'value', 'result');
  const ref = fc.oneof(
    name,
    word,
    fc.tuple(name, name).map((both) => both.join(' ')),
  );
  fc.assert(
    fc.property(logs, kind, ref, word, fc.nat(7), fc.nat(2), (log, of, named, text, before, repeats) => {
      const own = heldOf(log);
      const found = findHolder(own, { origin: { kind: of, ref: named } as Origin, text, before, repeats });
      if (found === undefined) return;
      expect(found.event.seq).toBeLessThan(before);
      if (found.guess !== undefined) return;
      const earlier = log.slice(0, Math.max(0, before - 1));
      const leaves = (at: number): readonly (readonly [string, string])[] =>
        Object.entries(log[at]?.[1] ?? {}).flatMap(([key, value]) =>
          (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)] as const),
        );
      const its = leaves(found.event.seq - 1);
      const byName = its.some(([key, each]) => each === text && key === named.split(' ').at(-1));
      const besideRef = its.some(([, each]) => each === text) && its.some(([, each]) => each === named);
      const holders = earlier.filter((_, at) => leaves(at).some(([, each]) => each.includes(text)));
      const sayers = earlier.filter((_, at) => leaves(at).some(([, each]) => each === text));
      const isOnly =
        text.length >= 6 && (sayers.length === 1 || (sayers.length === 0 && holders.length === 1));
      expect(byName || besideRef || isOnly).toBe(true);
      expect(its.some(([, each]) => each.includes(text))).toBe(true);
    }),
    runs(500, 20_000),
  );
});
