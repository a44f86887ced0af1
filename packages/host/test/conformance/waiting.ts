import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { Host, RunReport } from '../../src/index.js';
import { must, until } from '../stand.js';
import type { Asks } from './fixture.js';
import type { KindKit } from './kit.js';

/** What waits for a person, and what becomes of each answer. */
export function describeWaiting(kit: KindKit): void {
  const { fixture, kind, lacks, says, again, stand, fresh, begin, isStill, goOn, heard, lacking, unless } =
    kit;

  const elsewhere = async (where: Where, host: Host): Promise<Host> => {
    if (where === 'the same process') return host;
    await stand().stopAll('wait');
    return stand().open();
  };

  it.each(WHERE)(
    'a spent budget waits, is listed with what shows it, and goes on when it is raised, in %s',
    async (where) => {
      const first = await stand().open();
      const run = await begin(first, [again.after, says('Two.')], { budget: { turns: 1 } });
      await until(first, run, isStill);
      await goOn(first, run);
      await until(first, run, ({ waits }) => waits.some((each) => each.for === 'budget'));
      const host = await elsewhere(where, first);
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
          must(
            await host.answer(spent as never, { texts: [spent.example] }, { id: randomUUID(), by: 'ann' }),
          );
        report = await until(host, run, (each) => isSpent(each) || isOver(each));
      }
      expect(await heard(host, run)).toContain('Two.');
    },
  );

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
    const cases = WHERE.flatMap((where) => [...replies.entries()].map((each) => [where, ...each] as const));
    for (const [where, index, reply] of cases) {
      await fresh(asks.files);
      const first = await stand().open();
      const run = await begin(first, [asks.step, says('After.')], asks.call);
      await until(first, run, ({ waits }) => waits.length > 0);
      expect(asks.isDone(stand())).toBeUndefined();
      const host = await elsewhere(where, first);
      const [wait] = await host.waiting();
      expect(wait).toMatchObject({ run, kind, for: 'approval', answers: ['yes', 'no'] });
      must(await host.answer(wait as never, reply as never, { id: 'answer', by: 'ann' }));
      await until(host, run, (each) => isStill(each) && each.turns === 2);
      expect(asks.isDone(stand())).toBe(expected[index]);
      expect((await host.waiting()).filter((each) => each.for === 'approval')).toEqual([]);
    }
  });

  unless('stalls', STALLED, fixture.stalls, async (step: object) => {
    for (const where of WHERE) {
      await fresh();
      const first = await stand().open();
      const run = await begin(first, [step, step, step, says('At last.')]);
      await until(first, run, ({ waits }) => waits.some((each) => each.for === 'loop'));
      const host = await elsewhere(where, first);
      const [wait] = await host.waiting();
      expect(wait).toMatchObject({ run, kind, for: 'loop', evidence: { turns: expect.any(Array) } });
      expect(wait?.answers).toContain('resume');
      must(await host.answer(wait as never, { texts: ['resume'] }, { id: 'on', by: 'ann' }));
      await until(host, run, (each) => isStill(each) && each.turns === 4);
      expect(await heard(host, run)).toContain('At last.');
    }
  });
}

/** Who is answered: the process that asked, or one that took the run up since. */
const WHERE = ['the same process', 'another process'] as const;
type Where = (typeof WHERE)[number];
const ASKED =
  'what is asked is done when it is allowed, not when it is denied, and as changed when it is changed, in any process';
const STALLED = 'turns that bring nothing new wait with what shows it, and go on, in any process';
