import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { withoutCredentials } from './credentials.js';
import { createRedactor } from './redactor.js';

const shapes = createRedactor({ roots: [], private: [], names: [] });

/** Where a credential stands in what somebody typed: alone, in a path of any system, in an address, in a list. */
const PLACES: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `with ${token} in it`,
  (token) => `/home/kim/${token}`,
  (token) => `/home/kim/${token}/x.yaml`,
  (token) => `~/${token}/x`,
  (token) => `C:\\Users\\kim\\${token}\\x.txt`,
  (token) => `\\\\host\\share\\${token}`,
  (token) => `file:///home/kim/${token}`,
  (token) => `https://example.com/home/kim/?a=${token}&b=1`,
  (token) => `/srv/${token}, /workdir/${token}`,
  (token) => `{"path":"/home/kim/${token}"}`,
];

it('for all tokens and places: a sentence that repeats one holds none, and a path keeps its other names', () => {
  fc.assert(
    fc.property(anyToken, fc.constantFrom(...PLACES), (token, put) => {
      const told = withoutCredentials(shapes, `No sheet is called "${put(token)}".`);
      expect(told).not.toContain(token);
      expect(told).not.toContain(token.slice(-12));
      if (put(token).includes('/home/kim/')) expect(told).toContain('/home/kim/');
    }),
    runs(400, 20_000),
  );
});

it('what holds none stays as it is', () => {
  for (const put of PLACES) expect(withoutCredentials(shapes, put('review'))).toBe(put('review'));
});
