import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { RunReport } from '../../src/index.js';
import { must, until } from '../stand.js';
import type { Asks } from './fixture.js';
import type { KindKit } from './kit.js';

/** What waits for a person, and what becomes of each answer. */
export function describeWaiting(kit: KindKit): void {
  const { fixture, kind, lacks, says, again, stand, fresh, begin, isStill, goOn, lacking, unless } = kit;

  it('a spent budget waits, is listed with what shows it, and goes on when it is raised', async () => {
    const host = await stand().open();
    const run = await begin(host, [again.after, says('Two.')], { budget: { turns: 1 } });
    await until(host, run, isStill);
    await goOn(host, run);
    await until(host, run, ({ waits }) => waits.some((each) => each.for === 'budget'));
    const [wait] = (await host.waiting()).filter((each) => each.for === 'budget');
    expect(wait).toMatchObject({ run, kind, answers: ['TURNS'] });
    expect(wait?.evidence).toMatchObject({ unit: 'turns', limit: 1 });
    expect(await host.answer(wait as never, { texts: ['many'] }, { id: 'a0', by: 'ann' })).toMatchObject({
      ok: false,
      error: { code: 'E_REPLY' },
    });
    // A budget may stand() in another one: each is raised.
    const isSpent = ({ waits }: RunReport): boolean => waits.some((each) => each.for === 'budget');
    const isOver = (each: RunReport): boolean => isStill(each) && each.turns === 2;
    for (let report = must(await host.report(run)); !isOver(report); ) {
      const spent = report.waits.find((each) => each.for === 'budget');
      if (spent !== undefined)
        must(await host.answer(spent as never, { texts: [spent.example] }, { id: randomUUID(), by: 'ann' }));
      report = await until(host, run, (each) => isSpent(each) || isOver(each));
    }
    expect(JSON.stringify(await host.report(run))).toContain('Two.');
  });

  it('every form of an answer that is listed is taken', async () => {
    const failing = { text: 'Half', error: { status: 500 } };
    const waits = await waitsAfter([failing, says('Two.')]);
    for (const [index, form] of waits.flatMap(({ answers }) => answers).entries()) {
      await fresh();
      const host = await stand().open();
      const run = await begin(host, [failing, says('Two.')]);
      await until(host, run, isStill);
      const wait = (await host.waiting()).find(({ answers }) => answers.includes(form));
      const text = /^[A-Z]+$/.test(form) ? 'Go on.' : form;
      must(await host.answer(wait as never, { texts: [text] }, { id: `answer ${index}`, by: 'ann' }));
      await until(host, run, isStill);
    }
  });
  const waitsAfter = async (steps: readonly object[]) => {
    const host = await stand().open();
    await until(host, await begin(host, steps), isStill);
    return host.waiting();
  };

  // A kind that takes words goes on by them in the promises above.
  if (lacks.words !== undefined) it(`words: ${lacks.words}`, () => lacking('words'));
  unless('approvals', ASKED, fixture.asks, async (asks: Asks) => {
    const replies = [
      { decision: 'allow' },
      { decision: 'deny', message: 'Not today.' },
      ...(asks.changed === undefined ? [] : [{ decision: 'change', input: asks.changed }]),
    ] as const;
    const expected = [asks.done, undefined, asks.changedTo];
    for (const [index, reply] of replies.entries()) {
      await fresh(asks.files);
      const host = await stand().open();
      const run = await begin(host, [asks.step, says('After.')], asks.call);
      await until(host, run, ({ waits }) => waits.length > 0);
      const [wait] = await host.waiting();
      expect(wait).toMatchObject({ run, kind, for: 'approval', answers: ['yes', 'no'] });
      must(await host.answer(wait as never, reply as never, { id: 'answer', by: 'ann' }));
      await until(host, run, (each) => isStill(each) && each.turns === 2);
      expect(asks.isDone(stand())).toBe(expected[index]);
      expect((await host.waiting()).filter((each) => each.for === 'approval')).toEqual([]);
    }
  });

  unless(
    'stalls',
    'turns that bring nothing new wait with what shows it, and go on',
    fixture.stalls,
    async (step: object) => {
      const host = await stand().open();
      const run = await begin(host, [step, step, step, says('At last.')]);
      await until(host, run, ({ waits }) => waits.some((each) => each.for === 'loop'));
      const [wait] = await host.waiting();
      expect(wait).toMatchObject({ run, kind, for: 'loop', evidence: { turns: expect.any(Array) } });
      expect(wait?.answers).toContain('resume');
      must(await host.answer(wait as never, { texts: ['resume'] }, { id: 'on', by: 'ann' }));
      const report = await until(host, run, (each) => isStill(each) && each.turns === 4);
      expect(JSON.stringify(report)).toContain('At last.');
    },
  );
}

const ASKED =
  'what is asked is done when it is allowed, not when it is denied, and as changed when it is changed';
