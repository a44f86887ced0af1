import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createWatch } from './watch.js';

const NEVER = new AbortController().signal;
const run = fc.constantFrom('a', 'b', 'c', 'd', undefined);

it('wakes who waits for a run by each change of it that came after they looked, however many runs change', async () => {
  const bumps = fc.array(run, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      bumps,
      bumps,
      bumps,
      run,
      fc.nat(4),
      async (before, between, after, wanted, remembered) => {
        const watch = createWatch(() => undefined, remembered);
        for (const each of before) watch.bump(each);
        const seen = watch.seen();
        for (const each of between) watch.bump(each);
        let isAwake = false;
        const woken = watch.changed(seen, NEVER, wanted).then(() => {
          isAwake = true;
        });
        for (const each of after) watch.bump(each);
        await turn();
        const isAbout = (each: string | undefined) =>
          each === undefined || wanted === undefined || each === wanted;
        if ([...between, ...after].some(isAbout)) expect(isAwake).toBe(true);
        // Where nothing was forgotten nobody is woken for others.
        else if (remembered >= 4) expect(isAwake).toBe(false);
        watch.bump();
        await woken;
        expect(watch.waiting()).toBe(0);
      },
    ),
    runs(300, 10_000),
  );
});
