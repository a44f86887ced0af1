import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { toldWithIds } from './told-json.js';
import { credentialsAway } from './typed-credentials.js';

const away = await credentialsAway();
const SECRET = `ghp_${'1bC2dE3fG4'.repeat(4).slice(0, 36)}`;

const FIELD = fc.constantFrom('session', 'sessionId', 'token', 'id', 'secret', 'password', 'auth', 'apiKey');
const bytes = (least: number, most: number) => fc.uint8Array({ minLength: least, maxLength: most });
const ID = fc.oneof(
  fc.uuid(),
  bytes(8, 16).map((each) => Buffer.from(each).toString('hex')),
  bytes(12, 12).map((each) => `run_${Buffer.from(each).toString('hex')}`),
);
const WORDS = fc.oneof(fc.constantFrom(`Use ${SECRET} now`, 'Paid.', '"', '\\', '\uf8f5'), fc.string());

it('an id that is said to be one stays under every name, and what stands beside it is told as before', () => {
  fc.assert(
    fc.property(FIELD, ID, WORDS, fc.boolean(), (field, id, words, lines) => {
      const value = { words, [field]: id, more: [{ [field]: id }, words] };
      const text = JSON.stringify(value, null, lines ? 2 : undefined);
      const told = JSON.parse(toldWithIds(away, text, [id])) as typeof value;
      if (away(id) === id && !words.startsWith('\uf8f5'))
        expect(told).toMatchObject({ [field]: id, more: [{ [field]: id }, {}] });
      expect(JSON.stringify(told)).not.toContain(SECRET);
    }),
    runs(300, 10_000),
  );
});

it('an id that is a credential by itself is told as every credential', () => {
  const text = JSON.stringify({ session: SECRET });
  expect(toldWithIds(away, text, [SECRET])).not.toContain(SECRET);
});

it('a value that nobody said to be an id is told by the name of its field', () => {
  const [id, other] = [randomUUID(), randomBytes(16).toString('hex')];
  const told = toldWithIds(away, JSON.stringify({ token: other, sessionId: id }), [id]);
  expect(told).toContain(id);
  expect(told).not.toContain(other);
});

it('a text that could be taken for one with ids in it is told as all else', () => {
  const id = randomUUID();
  expect(toldWithIds(away, JSON.stringify({ a: '\uf8f50', sessionId: id }), [id])).not.toContain(id);
});
