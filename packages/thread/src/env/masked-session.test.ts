import type { Session, TurnEvent } from '@cuebook/provider';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createMask, MASKED } from './mask.js';
import { maskedSession } from './masked-session.js';

const KEY = 'kXq7-vault-28Zt';

/** What is heard of a model that says these pieces. */
async function heard(pieces: readonly string[], type: 'text.delta' | 'reasoning.delta'): Promise<string> {
  const events = pieces.map((text): TurnEvent => ({ type, block: 0, text }));
  const session: Session = {
    async *turn() {
      yield* events;
      yield { type: 'turn.end', reason: 'done' } as TurnEvent;
    },
    close: async () => undefined,
  };
  let words = '';
  for await (const event of maskedSession(session, createMask([KEY])).turn({} as never))
    if (event.type === type) words += event.text;
  return words;
}

it('a secret is in no word that is heard while a model speaks, wherever its words are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('text.delta' as const, 'reasoning.delta' as const),
      fc.nat({ max: 400 }),
      fc.nat({ max: 400 }),
      fc.array(fc.nat({ max: 900 }), { maxLength: 12 }),
      async (type, before, after, cuts) => {
        const [head, tail] = ['a '.repeat(before), ' b'.repeat(after)];
        const text = `${head}${KEY}${tail}`;
        const places = [...new Set([0, ...cuts.filter((at) => at < text.length), text.length])].sort(
          (one, other) => one - other,
        );
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(await heard(pieces, type)).toBe(`${head}${MASKED}${tail}`);
      },
    ),
    { ...runs(40, 2_000), examples: [['text.delta', 0, 400, []]] },
  );
});
