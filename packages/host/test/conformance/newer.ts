import type { RunId } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { Host, Word } from '../../src/index.js';
import { until } from '../stand.js';
import type { KindKit } from './kit.js';

/** What a newer version has written into a run is named, and nothing is begun, said or changed there. */
export function describeNewer(kit: KindKit): void {
  const { fixture, says, again, stand, begin, isStill } = kit;
  const words: readonly Word[] = [again.word, { type: 'stop' }, { type: 'resume' }];

  const expectLeft = async (host: Host, run: RunId, type: string): Promise<void> => {
    const { seq } = (await stand().store.head(run)) ?? expect.unreachable('no run');
    const newer = { ok: false, error: { code: 'E_JOURNAL_NEWER', message: expect.stringContaining(type) } };
    for (const [at, word] of words.entries())
      expect(await host.tell(run, word, { id: `newer${at}`, by: 'ann' })).toMatchObject(newer);
    if (fixture.edit !== undefined)
      expect(await host.update(run, 'folder', { id: 'newer', by: 'ann' })).toMatchObject({ ok: false });
    expect(await host.report(run)).toMatchObject({ ok: true });
    await host.drain();
    expect(await stand().store.head(run)).toMatchObject({ seq });
  };

  it.each([['later.written'], ['constructor']])(
    'an event that only a newer version knows: %s is named, and nothing is said to the run, by whichever process',
    async (type) => {
      const first = await stand().open();
      const run = await begin(first, [again.after, says('Two.'), says('Three.')]);
      const { seq } = await until(first, run, isStill);
      const written = await stand().store.append({
        ...{ run, command: 'newer', target: 'newer', answer: null, expectedSeq: seq },
        events: [{ type, data: { id: 'x' } }],
      });
      expect(written).toMatchObject({ ok: true });
      await expectLeft(first, run, type);
      await stand().stopAll('wait');
      await expectLeft(await stand().open(), run, type);
    },
  );
}
