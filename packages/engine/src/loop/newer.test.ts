import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createStand, finish, RUN, turnOver } from '../../test/bench-stand.js';
import { errand, errandMachine } from '../../test/errands.js';

/** This version: it knows these events and no others. */
const OWN = { ...errandMachine, events: { 'errand.taken': true, 'errand.dropped': true } } as const;

const OURS = new Set(['errand', ...Object.keys(OWN.events)]);
/** Names that a newer version may have given: of events, of the engine too, of effects, and those that objects have. */
const NAMES = fc
  .oneof(
    fc.stringMatching(/^[a-z][a-z-]{0,12}\.[a-z-]{1,12}$/),
    fc.constantFrom('effect.paused', 'timer.moved', 'turn.split', 'constructor', '__proto__', 'toString'),
  )
  .filter((name) => !OURS.has(name));

test('an event that only a newer version knows: nothing is decided or begun, all is said by name, and the newer one goes on', async () => {
  await fc.assert(
    fc.asyncProperty(NAMES, fc.boolean(), async (name, isLate) => {
      const stand = createStand();
      const newer = { ...OWN, events: { ...OWN.events, [name]: true } as never };
      const errands = [errand('a', { onCrash: 'ask-person' }), errand('b', { afterMs: 500 })];
      const write = async () =>
        stand.store.append({
          ...{ run: RUN, command: 'newer', target: 'newer', answer: null },
          events: [{ type: name, data: { id: 'x' } }],
          expectedSeq: (await stand.store.read(RUN)).length,
        });
      const before = stand.boot({ machine: OWN });
      await before.submit(RUN, { id: 'go', type: 'errand.start', errands });
      if (!isLate) expect(await write()).toMatchObject({ ok: true });
      if (isLate) {
        // The older one has read the run already when the event comes.
        await before.read(RUN);
        await write();
      }
      await before.start();
      for (let turn = 0; turn < 5; turn += 1) {
        await turnOver();
        stand.clock.advance(1_000);
      }
      expect(stand.world.done.size).toBe(0);
      expect((await before.read(RUN)).strange).toBe(name);
      const more = { type: 'errand.start' as const, errands: [errand('c')] };
      const refused = await before.submit(RUN, { id: 'more', ...more });
      expect(refused).toEqual({ ok: false, error: { type: 'newer', what: name } });
      expect(stand.problems.map(String).join('\n')).toContain(`E_JOURNAL_NEWER`);
      expect(stand.problems.map(String).join('\n')).toContain(JSON.stringify(name));
      const { ledger } = await before.read(RUN);
      expect([...ledger.effects.values()].some(({ begun, asked }) => begun || asked)).toBe(false);
      await before.stop();
      const after = stand.boot({ machine: newer });
      await after.start();
      await finish(stand, after);
      expect([...stand.world.done].sort()).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
      await after.stop();
    }),
    runs(60, 2_000),
  );
});

test('an effect that only a newer version can do is left to it where others may work, never failed and never asked about', async () => {
  await fc.assert(
    fc.asyncProperty(NAMES, fc.boolean(), async (kind, wasBegun) => {
      const stand = createStand();
      const shared = { ...stand.store, kind: 'postgres' as const };
      const data = {
        ...{ id: 'eff_1', kind, lane: 'a', onCrash: 'ask-person' as const },
        input: errand('a') as never,
      };
      const begun = { type: 'effect.begun', data: { id: 'eff_1', attempt: 1, owner: 'newer' } };
      await stand.store.append({
        ...{ run: RUN, command: 'newer', target: 'newer', answer: null, expectedSeq: 0 },
        events: [{ type: 'effect.intended', data }, ...(wasBegun ? [begun] : [])],
        projections: [
          {
            ...{ name: 'engine.open', key: RUN },
            value: { kind: 'errands', lanes: [{ lane: 'a', effect: 'eff_1', asked: false }], timers: [] },
          },
        ],
      });
      const older = stand.boot({ machine: OWN, store: shared });
      await older.start();
      await turnOver();
      await turnOver();
      expect((await older.read(RUN)).ledger.effects.get('eff_1')).toMatchObject({
        begun: wasBegun,
        asked: false,
      });
      expect(stand.problems.map(String).join('\n')).toContain(`the effect ${kind} is left`);
      await older.stop();
      const drivers = Object.fromEntries([[kind, stand.world.driver]]);
      const newer = stand.boot({ machine: OWN, store: shared, drivers });
      await newer.start();
      await finish(stand, newer);
      expect(stand.world.done.get('a')).toBe(1);
      await newer.stop();
    }),
    runs(60, 2_000),
  );
});
