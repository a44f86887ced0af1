import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { linesOf } from './lines.js';
import { decodeUtf8 } from './stdin.js';

const collect = async (
  chunks: readonly Uint8Array[],
  limit: number,
): Promise<readonly (string | undefined)[]> => {
  const lines: (string | undefined)[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const line of linesOf(stream, limit)) lines.push(line && Buffer.from(line).toString('latin1'));
  return lines;
};

it('lines are the same wherever the stream is cut', async () => {
  const bytes = fc.uint8Array({ maxLength: 60, min: 9, max: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(bytes, { maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      async (chunks, limit) => {
        const whole = Buffer.concat(chunks).toString('latin1');
        const lines = whole.split('\n');
        if (lines.at(-1) === '') lines.pop();
        const expected = lines.map((line) => (line.length > limit ? undefined : line));
        expect(await collect(chunks, limit)).toEqual(expected);
      },
    ),
    runs(500, 20_000),
  );
});

it('bytes decode when they are UTF-8, and to nothing else', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const byStrict = (bytes: Uint8Array): string | undefined => {
    try {
      return strict.decode(bytes);
    } catch {
      return undefined;
    }
  };
  const text = fc.string({ unit: 'grapheme' }).map((each) => new Uint8Array(Buffer.from(`\ufffd${each}`)));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), text), (bytes) => {
      expect(decodeUtf8(bytes)).toBe(byStrict(bytes));
    }),
    runs(2_000, 100_000),
  );
});
