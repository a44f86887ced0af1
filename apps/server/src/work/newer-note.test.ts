import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { readNote } from './worker-book.js';

const ID = 'worker-0123456789';
const WHOLE = {
  ...{
    id: ID,
    role: 'worker',
    version: '1.2.3',
    machine: 'one',
    pid: 7,
    startedAt: 5,
    slots: 4,
    draining: false,
  },
  ...{ kinds: ['team'], labels: [], runs: ['run_1'] },
};

it('of a newer process: what fits is shown, the role is that of its name, and none is taken for gone', () => {
  fc.assert(
    fc.property(
      fc.subarray(Object.keys(WHOLE) as (keyof typeof WHOLE)[]),
      fc.subarray(Object.keys(WHOLE) as (keyof typeof WHOLE)[]),
      fc.dictionary(fc.stringMatching(/^[a-z]{3,12}$/), fc.jsonValue(), { maxKeys: 3 }),
      fc.jsonValue(),
      (gone, other, more, value) => {
        const said: Record<string, unknown> = { ...more, ...WHOLE };
        for (const name of gone) delete said[name];
        for (const name of other) said[name] = value;
        const note = readNote(ID, JSON.stringify(said));
        const touched = new Set<string>([...gone, ...other]);
        expect(note).toMatchObject({ id: touched.size === 0 ? ID : note?.id, role: note?.role });
        for (const [name, kept] of Object.entries(WHOLE))
          if (!touched.has(name)) expect(note).toHaveProperty(name, kept);
        expect(note?.role === 'worker' || other.includes('role')).toBe(true);
      },
    ),
    runs(300, 5_000),
  );
  expect(readNote('server-0123456789', '{"role":"keeper"}')).toMatchObject({
    role: 'server',
    version: 'unknown',
  });
  expect(readNote(ID, '{"half')).toBeUndefined();
});
