import type { RunId, StoredEvent } from '@cuebook/journal';
import type { JsonValue, Origin } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { emptyHeld, findHolder, holdEvent } from './held-in.js';

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

const held = emptyHeld();
for (const [at, [type, data]] of EVENTS.entries()) {
  const event: StoredEvent = {
    run: 'run_a' as RunId,
    seq: at + 1,
    position: at,
    at,
    command: '',
    hash: '',
    type,
    data,
  };
  holdEvent(held, event, `run_a#${at + 1}`);
}

const input = (ref: string): Origin => ({ kind: 'input', ref });
const fact = (ref: string): Origin => ({ kind: 'variable', ref });

it.each([
  ['the name under which an event holds it', fact('run mode'), 'AUTO', {}, 1],
  ['the last time that it was said', input('message-2'), 'yes', {}, 5],
  ['as many times before as later blocks repeat it', input('message-1'), 'yes', { repeats: 1 }, 3],
  ['nothing that is later than the turn', input('message-1'), 'yes', { before: 5 }, 3],
  [
    'the source that its origin names, of several that say the same',
    input('mail/a.json'),
    'Hello there.',
    {},
    6,
  ],
  ['the event that made an id', fact('known nodes'), 'node_0123456789abcdef', {}, 2],
  ['a part of a longer text', input('goal'), 'visitors in German', {}, 1],
  ['an id within it', fact('pending'), 'lead, for node_0123456789abcdef', {}, 2],
  ['the last event about the thing', fact('budget'), '19', {}, 4],
  ['the beginning, for what nobody repeats', input('focus'), 'Rounding.', {}, 1],
  [
    'nothing, for what the run does not know',
    { kind: 'value', ref: 'settings' } as const,
    '100',
    {},
    undefined,
  ],
])('a text leads to %s', (_why, origin, text, more, seq) => {
  const question = { origin, text, before: Number.POSITIVE_INFINITY, repeats: 0, ...more };
  expect(findHolder(held, question)?.seq).toBe(seq);
});
