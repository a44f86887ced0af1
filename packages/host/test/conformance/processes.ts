import { verifyRun } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { keysOf } from '../../../journal/test/turns.js';
import type { RunReport } from '../../src/index.js';
import { mortal } from '../mortal.js';
import { must, until } from '../stand.js';
import type { Doubts } from './fixture.js';
import type { KindKit } from './kit.js';

/** What a run keeps when its process is stopped, interrupted or killed. */
export function describeProcesses(kit: KindKit): void {
  const {
    fixture,
    kind,
    lacks,
    target,
    call,
    afterWords,
    turnHit,
    says,
    again,
    stand,
    fresh,
    begin,
    isStill,
    goOn,
    heard,
    unless,
  } = kit;

  it('goes on in another process, and the record verifies', async () => {
    const first = await stand().open();
    const run = await begin(first, [again.after, says('Two.')]);
    await until(first, run, isStill);
    await stand().stopAll('wait');
    const second = await stand().open();
    await goOn(second, run);
    await goOn(second, run);
    await until(second, run, (each) => isStill(each) && each.turns === 2);
    expect(await heard(second, run)).toContain('Two.');
    await stand().stopAll('wait');
    const publicKeys = keysOf(stand().options.signer);
    expect(await verifyRun(stand().store, run, { publicKeys })).toMatchObject({ ok: true, problems: [] });
  });

  it('a turn that an orderly stop cut off is taken up by the next process by itself', async () => {
    const first = await stand().open();
    const run = await begin(first, [{ ...says('Slow words that take a while.'), delayMs: 600_000 }]);
    await new Promise<void>((resolve) => first.watch(run, () => resolve()));
    await stand().stopAll('abort');
    const second = await stand().open();
    expect(must(await second.report(run)).status).toBe('running');
    must(await second.tell(run, { type: 'stop' }, { id: 'stop', by: 'ann' }));
    const report = await until(second, run, isStill);
    expect(['stopped', 'waiting', 'idle']).toContain(report.status);
  });

  it('a turn under way is interrupted, and goes on when a person says so', async () => {
    const host = await stand().open();
    const slow = { ...says('Never heard.'), delayMs: 600_000 };
    const run = await begin(host, [slow, says('Two.')]);
    await new Promise<void>((resolve) => host.watch(run, () => resolve()));
    must(await host.tell(run, { type: 'interrupt' }, { id: 'stop', by: 'ann' }));
    const stopped = await until(host, run, isStill);
    expect(stopped.status).not.toBe('done');
    const resumed = await host.tell(run, { type: 'resume' }, { id: 'on', by: 'ann' });
    const isOver = (each: RunReport): boolean => isStill(each) && each.turns === 2;
    // Where nobody has anything to say yet, a word goes on.
    const still = resumed.ok ? await until(host, run, isStill) : must(await host.report(run));
    if (!isOver(still)) await goOn(host, run);
    await until(host, run, isOver);
    expect(await heard(host, run)).toContain('Two.');
  });

  it('a turn that a dead process had begun is taken again by the next one, and counts once', async () => {
    const process = mortal(stand().store, { point: 'performed', hit: turnHit });
    const first = await stand().open({ store: process.store, fault: process.fault, isMortal: true });
    const run = await begin(first, [says('Said once.')]);
    await process.dead;
    const second = await stand().open();
    const report = await until(second, run, isStill);
    expect(report).toMatchObject({ run, kind, status: afterWords, turns: 1 });
    expect(await heard(second, run)).toContain('Said once.');
    expect((await second.waiting()).filter((each) => each.for === 'left')).toEqual([]);
  });

  if (lacks.doubts !== undefined)
    it('an agent that only speaks is asked again after a crash, as a model is, and nobody is asked about it', async () => {
      // A program that is not there: what is written before it is asked is enough.
      const { providers } = stand().options;
      const host = await stand().open({ providers: { ...providers, env: {} } });
      const said = { id: 'start', by: 'ann', target, ...call, provider: 'claude' };
      const { run } = must(await host.begin(said));
      await until(host, run, isStill);
      const intended = (await stand().store.read(run, {})).filter(({ type }) => type === 'effect.intended');
      expect(intended.length).toBeGreaterThan(0);
      expect(intended.map(({ data }) => data)).toEqual(
        intended.map(() => expect.objectContaining({ onCrash: 'repeat' })),
      );
    });
  unless('doubts', DOUBTED, fixture.doubts, async (doubts: Doubts) => {
    for (const said of ['unknown', 'not-done'] as const) {
      await fresh();
      const process = mortal(stand().store, { point: 'performed', hit: doubts.hit });
      const first = await stand().open({ store: process.store, fault: process.fault, isMortal: true });
      const run = await begin(first, [doubts.step, says('After.')], doubts.call);
      await process.dead;
      const second = await stand().open();
      await until(second, run, ({ waits }) => waits.some((each) => each.for === 'outcome'));
      const [wait] = await second.waiting();
      expect(wait).toMatchObject({ run, kind, for: 'outcome', answers: ['not-done', 'unknown'] });
      const unfit = await second.answer(wait as never, { texts: ['perhaps'] }, { id: 'x', by: 'ann' });
      expect(unfit).toMatchObject({ ok: false, error: { code: 'E_REPLY' } });
      expect(doubts.isDone(stand())).toBe(doubts.done);
      must(await second.answer(wait as never, { texts: [said] }, { id: 'settle', by: 'ann' }));
      const isOver = (each: RunReport): boolean =>
        isStill(each) && each.waits.every((open) => open.for !== 'outcome');
      await until(second, run, isOver);
      // It had been done: who says that it was not has it done once more, and nobody else does.
      expect(doubts.isDone(stand())).toBe(said === 'unknown' ? doubts.done : doubts.done.repeat(2));
      // The answer counts once, however often it is given.
      await second.answer(wait as never, { texts: [said] }, { id: 'settle', by: 'ann' });
      await until(second, run, isOver);
      expect(doubts.isDone(stand())).toBe(said === 'unknown' ? doubts.done : doubts.done.repeat(2));
    }
  });
}

const DOUBTED =
  'what a dead process may have done is asked about, and done again only when a person says that it was not';
