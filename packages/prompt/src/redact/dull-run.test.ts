import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import vendorTokens from '../../test/vendor-tokens.json' with { type: 'json' };
import { readAscii } from '../ascii.js';
import { codesOf, longRuns } from './codes.js';
import { isDullRun } from './dull-run.js';
import { base64Run, hexRuns } from './encoded.js';
import { FAMILIES } from './secret/families.js';
import { matchToken } from './secret/token.js';

const FIXED = FAMILIES.flatMap(({ parts }) =>
  parts.flatMap((part) => (part.kind === 'fixed' ? [part.text] : [])),
);
const TOKENS: readonly string[] = JSON.stringify(vendorTokens).match(/[\w.+/:~=-]{20,}/g) ?? [];

/** Names of files, tokens and encodings, whole and in pieces, and what may stand before and behind a run. */
const part = fc.oneof(
  fc.constantFrom(
    ...'src/ artifacts/ -note index _test / - _ + . : = ? \\n \n Bearer  Basic  key= token: datadog '.split(
      ' ',
    ),
    ' ',
  ),
  fc.constantFrom(...FIXED),
  fc.constantFrom(...TOKENS),
  fc.stringMatching(/^[a-z]{1,12}$/),
  fc.stringMatching(/^\d{1,6}$/),
  fc.stringMatching(/^[0-9a-f]{8,40}$/),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string({ maxLength: 20 }).map((text) => Buffer.from(text).toString('base64url')),
);
const text = fc
  .array(part, { minLength: 1, maxLength: 8 })
  .map((parts) => `the text of a key ${parts.join('')} goes on and on`);

test('a run that is dull holds no token and nothing encoded', () => {
  let dull = 0;
  fc.assert(
    fc.property(text, fc.boolean(), (given, knownOnly) => {
      const ascii = readAscii(given);
      if (ascii === undefined) return;
      const found = longRuns(codesOf(given, 'outer'));
      for (let at = 0; at < found.length; at += 2) {
        const [start, end] = [found[at] as number, found[at + 1] as number];
        if (!isDullRun({ bytes: ascii.bytes, length: given.length }, start, end, knownOnly)) continue;
        dull += 1;
        const token = knownOnly ? undefined : matchToken(given, start, end, 0);
        const encoded = [base64Run(given, start, end), ...hexRuns(given, start, end)];
        expect({ token, encoded: encoded.flatMap((each) => each.decoded) }).toEqual({
          token: undefined,
          encoded: [],
        });
      }
    }),
    runs(20_000, 500_000),
  );
  expect(dull).toBeGreaterThan(0);
});
