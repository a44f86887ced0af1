import type { RunId } from '@cuebook/journal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import type { OpenRun } from './open-run.js';
import { createRooms } from './rooms.js';

const RUN = 'run_1' as RunId;

it('a word that is said at any moment reaches a run that is not closed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(4), fc.boolean(), async (scheduler, count, isHanded) => {
      const step = <Value>(value: Value, name: string): Promise<Value> =>
        scheduler.schedule(Promise.resolve(value), name);
      const problems: unknown[] = [];
      let late = 0;
      const openRun = (): OpenRun => {
        let isClosed = false;
        return {
          tell: async () => {
            if (isClosed) late += 1;
            await step(undefined, 'write');
            if (isClosed) late += 1;
            return { ok: true, value: null };
          },
          take: () => step(true, 'take'),
          drain: () => step(undefined, 'drain'),
          isMoved: () => step(false, 'moved'),
          close: async () => {
            isClosed = true;
            await step(undefined, 'close');
          },
        } as unknown as OpenRun;
      };
      const rooms = createRooms({
        open: async () => ({ ok: true, value: await step(openRun(), 'open') }),
        onProblem: (error) => problems.push(error),
        isHanded,
      });
      const word = async () => {
        await step(undefined, 'comes');
        return rooms.enter(RUN, (room) => room.tell({ type: 'resume' }, { id: 'a', by: 'b' }));
      };
      const said = Promise.all(Array.from({ length: count + 1 }, word));
      await scheduler.waitFor(said);
      await scheduler.waitFor(rooms.drain());
      expect((await said).every(({ ok }) => ok)).toBe(true);
      expect({ late, problems }).toEqual({ late: 0, problems: [] });
    }),
    runs(200, 20_000),
  );
});
