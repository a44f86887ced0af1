import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { RunId } from '../contract.js';
import { createOwnAppends } from './own-appends.js';

const step = fc.record({
  run: fc.constantFrom('run_a' as RunId, 'run_b' as RunId),
  /** Events of another process come in between. */
  others: fc.constantFrom(0, 0, 0, 2),
  texts: fc.array(fc.constantFrom('1', '"b"', `"${'x'.repeat(70_000)}"`, `"${'y'.repeat(60_000)}"`), {
    maxLength: 30,
  }),
  repeated: fc.boolean(),
});

it('remembers what was appended last without a gap, or nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const own = createOwnAppends();
      const logs = new Map<RunId, unknown[]>();
      for (const [index, { run, others, texts, repeated }] of steps.entries()) {
        const log = logs.get(run) ?? [];
        logs.set(run, log);
        for (let n = 0; n < others; n += 1) log.push('of another process');
        const firstSeq = log.length + 1;
        const events = texts.map((data) => ({ type: 'said', data }));
        if (!repeated) log.push(...texts.map((text) => JSON.parse(text)));
        const lastSeq = firstSeq + texts.length - 1;
        own.note(run, events, { firstSeq, lastSeq, answer: null, repeated, hash: `${index}` });
        for (const [each, said] of logs)
          for (let seq = 0; seq <= said.length; seq += 1) {
            const found = own.after(each, seq);
            expect(found.map(({ seq: at }) => at)).toEqual(found.map((_, n) => seq + 1 + n));
            expect(found.map(({ data }) => data)).toEqual(said.slice(seq, seq + found.length));
          }
        const kept = texts.length > 0 && !repeated && texts.every((text) => text.length <= 64 * 1024);
        if (kept) expect(own.after(run, firstSeq - 1)).toHaveLength(texts.length);
      }
    }),
    runs(60, 2_000),
  );
});
