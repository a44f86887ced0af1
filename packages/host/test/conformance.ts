import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type RunId, rebuildTurn, verifyRun } from '@cuebook/journal';
import { explain } from '@cuebook/prompt';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { keysOf } from '../../journal/test/turns.js';
import type { HostOptions } from '../src/host.js';
import type { Host, RunKind, RunReport, StartCall, WaitFor, Word } from '../src/index.js';
import type { Lacks } from '../src/kind.js';
import { runOf } from '../src/run-of.js';
import { mortal } from './mortal.js';
import { hostStand, must, type Stand, until } from './stand.js';

/**
 * What a kind hands in to be held to the promises of every kind. A part that its record lacks is left out, and the
 * refusal is tested in its place; every other part is there.
 */
export interface KindFixture {
  /** Made anew for each process. */
  readonly kind: () => RunKind;
  readonly files: Readonly<Record<string, string>>;
  /** What else the project needs before a run. */
  readonly prepare?: (stand: Stand) => Promise<void>;
  readonly target: string;
  /** What the report names as its target; left out: the same. */
  readonly shownTarget?: string | null;
  /** What else a host of this kind is made of: a clock. */
  readonly host?: () => Partial<Pick<HostOptions, 'clock'>>;
  /** The run that a call with an id begins; left out: as a host names it. */
  readonly run?: RunId;
  /** Which `performed` of the engine is that of the first turn; left out: the first. */
  readonly turnHit?: number;
  /** What a run is started with beside its target; left out: a word. */
  readonly call?: Pick<StartCall, 'input' | 'options'>;
  /** A script in which whoever is asked first takes these steps. */
  readonly script: (steps: readonly object[]) => string;
  /** A step that only says something. */
  readonly says?: (text: string) => object;
  /** How the report stands after a turn that only says something. */
  readonly afterWords: RunReport['status'];
  /** How a person has it take another turn, and after which step; left out: by a word, after words. */
  readonly again?: { readonly after: object; readonly word: Word };
  /** Words of its first prompt, and the origin of them. */
  readonly told: { readonly text: string; readonly ref: string };
  /** Why the files of the project are no sources of its words; left out: they are. */
  readonly certified?: string;
  /** A step that asks a person for a permission, and what of the project tells that it was done. */
  readonly asks?: Asks;
  /** A step that brings nothing new when it is taken again. */
  readonly stalls?: object;
  /** A step whose work nobody can vouch for after a crash, the moment of it, and how often it was done. */
  readonly doubts?: Doubts;
}

interface Asks {
  readonly step: object;
  /** What the project has for this part beside its files. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is asked for instead. */
  readonly changed?: object;
  readonly isDone: (stand: Stand) => string | undefined;
  readonly done: string;
  readonly changedTo: string;
  readonly call?: Partial<StartCall>;
}

interface Doubts {
  readonly step: object;
  /** Which `performed` of the engine it is. */
  readonly hit: number;
  readonly isDone: (stand: Stand) => string | undefined;
  readonly done: string;
  readonly call?: Partial<StartCall>;
}

/** A word about each part that a kind may lack, and what would wait for a person. */
const ABOUT: Readonly<Record<keyof Lacks, Word | undefined>> = {
  words: { type: 'say', text: 'Hello.' },
  approvals: { type: 'approve', approval: 'apr_1', decision: 'allow' },
  doubts: { type: 'settle', effect: 'eff_1', outcome: 'unknown' },
  stalls: undefined,
};
const WAITS_FOR: Readonly<Record<keyof Lacks, WaitFor>> = {
  ...{ words: 'input', approvals: 'approval', doubts: 'outcome', stalls: 'loop' },
} as const;

/** The promises that every kind of run keeps. */
export function describeKind(name: string, fixture: KindFixture): void {
  describe(`${name} as a kind of run`, () => {
    let stand: Stand;
    const fresh = async (files: KindFixture['files'] = {}): Promise<Stand> => {
      const made = await hostStand({
        kinds: () => [fixture.kind()],
        files: { ...fixture.files, ...files },
        ...fixture.host?.(),
      });
      await fixture.prepare?.(made);
      return made;
    };
    beforeEach(async () => {
      stand = await fresh();
    });
    afterEach(() => stand.remove());

    const { name: kind, lacks = {} } = fixture.kind();
    const { target, script, afterWords, shownTarget = target, turnHit = 1 } = fixture;
    const firstRun = fixture.run ?? runOf('start');
    const says = fixture.says ?? ((text: string): object => ({ text }));
    const call = fixture.call ?? { input: 'Begin.' };
    const again = fixture.again ?? { after: says('One.'), word: { type: 'say', text: 'More.' } };
    const start = (host: Host, steps: readonly object[], more: object = {}) =>
      host.begin({ id: 'start', by: 'ann', target, ...call, script: script(steps), ...more });
    const begin = async (host: Host, steps: readonly object[], more: object = {}): Promise<RunId> =>
      must(await start(host, steps, more)).run;
    const isStill = ({ status }: RunReport): boolean => status !== 'running' && status !== 'new';
    const goOn = async (host: Host, run: RunId, id = 'again') =>
      must(await host.tell(run, again.word, { id, by: 'ann' }));
    /** A part that the record of the kind lacks is refused by code; every other one is there. */
    const unless = <Part>(
      name: keyof Lacks,
      title: string,
      part: Part | undefined,
      test: (part: Part) => Promise<void>,
    ): void => {
      if (lacks[name] !== undefined) it(`${name}: ${lacks[name]}`, () => lacking(name));
      else it(title, () => (part === undefined ? expect.unreachable('not handed in') : test(part)));
    };
    const lacking = async (name: keyof Lacks): Promise<void> => {
      const host = await stand.open();
      const run = await begin(host, [says('Hello.')]);
      await until(host, run, isStill);
      const word = ABOUT[name];
      const unknown = { ok: false, error: { code: 'E_WORD_UNKNOWN', kind: 'invalid' } };
      if (word !== undefined)
        expect(await host.tell(run, word, { id: 'x', by: 'ann' })).toMatchObject(unknown);
      expect((await host.waiting()).filter((each) => each.for === WAITS_FOR[name])).toEqual([]);
    };

    it('begins once for an id, and another call with that id is a conflict', async () => {
      const host = await stand.open();
      const run = await begin(host, [says('Hello.')]);
      expect(await begin(host, [says('Hello.')])).toBe(run);
      expect(await start(host, [says('Other.')])).toMatchObject({
        ok: false,
        error: { code: 'E_COMMAND_CONFLICT', kind: 'conflict' },
      });
      expect(await start(host, [says('Hello.')], { options: { ...call.options, other: 'x' } })).toMatchObject(
        {
          ok: false,
        },
      );
      const report = await until(host, run, isStill);
      expect(report).toMatchObject({ run, kind, target: shownTarget, status: afterWords, turns: 1 });
      expect(JSON.stringify(report)).toContain('Hello.');
      expect(await host.kindOf(run)).toBe(kind);
    });

    it('a target that is not there is refused, and leaves nothing', async () => {
      const host = await stand.open();
      const [prefix] = target.split(':');
      const refused = await host.begin({ id: 'x', by: 'ann', target: `${prefix}:not-there`, ...call });
      expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid' } });
      expect(await stand.store.runs()).toEqual([]);
      expect(JSON.stringify(refused)).not.toContain(stand.root);
    });

    it('a run that is not there is refused for every question', async () => {
      const host = await stand.open();
      const run = 'run_nothing' as RunId;
      const said = { id: 'x', by: 'ann' };
      const unknown = { ok: false, error: { code: 'E_RUN_UNKNOWN', kind: 'notFound' } };
      expect(await host.report(run)).toMatchObject(unknown);
      expect(await host.tell(run, { type: 'stop' }, said)).toMatchObject(unknown);
      expect(await host.answer({ run, id: run }, { texts: ['x'] }, said)).toMatchObject(unknown);
      expect(await host.waiting({ run })).toEqual([]);
    });

    it('two followers and the record agree, and live words come with the turn', async () => {
      const host = await stand.open();
      const words: string[] = [];
      const seen: [string[], string[]] = [[], []];
      const ends = [new AbortController(), new AbortController()] as const;
      const lanes = new Set<string>();
      host.watch(firstRun, ({ event, effect }) => {
        if (event.type === 'text.delta') words.push(event.text);
        lanes.add(effect);
      });
      const step = says('One word and another, and a third.');
      const run = await begin(host, [step]);
      const following = ends.map(async ({ signal }, index) => {
        for await (const { seq, type } of host.events(run, { after: 0, signal }))
          seen[index]?.push(`${seq} ${type}`);
      });
      const { seq } = await until(host, run, isStill);
      while (seen.some((each) => each.length < seq)) await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends) end.abort();
      await Promise.allSettled(following);
      const record = (await stand.store.read(run, {})).map(({ seq: at, type }) => `${at} ${type}`);
      expect(seen[0].slice(0, record.length)).toEqual(record);
      expect(seen[1]).toEqual(seen[0]);
      expect(words.join('')).toBe((step as { readonly text: string }).text);
      const turns = (await stand.store.read(run, {})).filter(({ type }) => type === 'turn.recorded');
      expect([...lanes]).toEqual(turns.map(({ data }) => (data as { readonly turn: string }).turn));
    });

    it('a spent budget waits, is listed with what shows it, and goes on when it is raised', async () => {
      const host = await stand.open();
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
      // A budget may stand in another one: each is raised.
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
      expect(JSON.stringify(await host.report(run))).toContain('Two.');
    });

    it('every form of an answer that is listed is taken', async () => {
      const failing = { text: 'Half', error: { status: 500 } };
      const waits = await waitsAfter([failing, says('Two.')]);
      for (const [index, form] of waits.flatMap(({ answers }) => answers).entries()) {
        await stand.remove();
        stand = await fresh();
        const host = await stand.open();
        const run = await begin(host, [failing, says('Two.')]);
        await until(host, run, isStill);
        const wait = (await host.waiting()).find(({ answers }) => answers.includes(form));
        const text = /^[A-Z]+$/.test(form) ? 'Go on.' : form;
        must(await host.answer(wait as never, { texts: [text] }, { id: `answer ${index}`, by: 'ann' }));
        await until(host, run, isStill);
      }
    });
    const waitsAfter = async (steps: readonly object[]) => {
      const host = await stand.open();
      await until(host, await begin(host, steps), isStill);
      return host.waiting();
    };

    it('goes on in another process, and the record verifies', async () => {
      const first = await stand.open();
      const run = await begin(first, [again.after, says('Two.')]);
      await until(first, run, isStill);
      await stand.stopAll('wait');
      const second = await stand.open();
      await goOn(second, run);
      await goOn(second, run);
      const report = await until(second, run, (each) => isStill(each) && each.turns === 2);
      expect(JSON.stringify(report)).toContain('Two.');
      await stand.stopAll('wait');
      const publicKeys = keysOf(stand.options.signer);
      expect(await verifyRun(stand.store, run, { publicKeys })).toMatchObject({ ok: true, problems: [] });
    });

    it('a turn that an orderly stop cut off is taken up by the next process by itself', async () => {
      const first = await stand.open();
      const run = await begin(first, [{ ...says('Slow words that take a while.'), delayMs: 600_000 }]);
      await new Promise<void>((resolve) => first.watch(run, () => resolve()));
      await stand.stopAll('abort');
      const second = await stand.open();
      expect(must(await second.report(run)).status).toBe('running');
      must(await second.tell(run, { type: 'stop' }, { id: 'stop', by: 'ann' }));
      const report = await until(second, run, isStill);
      expect(['stopped', 'waiting', 'idle']).toContain(report.status);
    });

    it('a turn under way is interrupted, and goes on when a person says so', async () => {
      const host = await stand.open();
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
      expect(JSON.stringify(await until(host, run, isOver))).toContain('Two.');
    });

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
        await stand.remove();
        stand = await fresh(asks.files);
        const host = await stand.open();
        const run = await begin(host, [asks.step, says('After.')], asks.call);
        await until(host, run, ({ waits }) => waits.length > 0);
        const [wait] = await host.waiting();
        expect(wait).toMatchObject({ run, kind, for: 'approval', answers: ['yes', 'no'] });
        must(await host.answer(wait as never, reply as never, { id: 'answer', by: 'ann' }));
        await until(host, run, (each) => isStill(each) && each.turns === 2);
        expect(asks.isDone(stand)).toBe(expected[index]);
        expect((await host.waiting()).filter((each) => each.for === 'approval')).toEqual([]);
      }
    });

    unless(
      'stalls',
      'turns that bring nothing new wait with what shows it, and go on',
      fixture.stalls,
      async (step: object) => {
        const host = await stand.open();
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

    it('a turn that a dead process had begun is taken again by the next one, and counts once', async () => {
      const process = mortal(stand.store, { point: 'performed', hit: turnHit });
      const first = await stand.open({ store: process.store, fault: process.fault, isMortal: true });
      const run = await begin(first, [says('Said once.')]);
      await process.dead;
      const second = await stand.open();
      const report = await until(second, run, isStill);
      expect(report).toMatchObject({ run, kind, status: afterWords, turns: 1 });
      expect(JSON.stringify(report)).toContain('Said once.');
      expect((await second.waiting()).filter((each) => each.for === 'left')).toEqual([]);
    });

    unless(
      'doubts',
      'what a dead process may have done is asked about, and never done twice',
      fixture.doubts,
      async (doubts: Doubts) => {
        const process = mortal(stand.store, { point: 'performed', hit: doubts.hit });
        const first = await stand.open({ store: process.store, fault: process.fault, isMortal: true });
        const run = await begin(first, [doubts.step, says('After.')], doubts.call);
        await process.dead;
        const second = await stand.open();
        await until(second, run, ({ waits }) => waits.some((each) => each.for === 'outcome'));
        const [wait] = await second.waiting();
        expect(wait).toMatchObject({ run, kind, for: 'outcome', answers: ['not-done', 'unknown'] });
        expect(
          await second.answer(wait as never, { texts: ['perhaps'] }, { id: 'x', by: 'ann' }),
        ).toMatchObject({
          ok: false,
          error: { code: 'E_REPLY' },
        });
        must(await second.answer(wait as never, { texts: ['unknown'] }, { id: 'settle', by: 'ann' }));
        await until(
          second,
          run,
          (each) => isStill(each) && each.waits.every((open) => open.for !== 'outcome'),
        );
        expect(doubts.isDone(stand)).toBe(doubts.done);
      },
    );

    const table = ['edited', 'deleted'].flatMap((how) => [
      [how, 'the same process'],
      [how, 'another process'],
    ]);
    it.each(fixture.certified === undefined ? table : [])(
      'is told the words of its beginning after every source was %s, in %s',
      async (how, where) => {
        const first = await stand.open();
        const run = await begin(first, [again.after, says('Two.')]);
        await until(first, run, isStill);
        if (where === 'another process') await stand.stopAll('wait');
        for (const file of Object.keys(fixture.files)) {
          const path = `${stand.project}/${file}`;
          if (how === 'deleted') rmSync(path);
          else writeFileSync(path, readFileSync(path, 'utf8').replaceAll(fixture.told.text, 'other words'));
        }
        const host = where === 'another process' ? await stand.open() : first;
        await goOn(host, run);
        await until(host, run, (each) => isStill(each) && each.turns === 2);
        const recorded = (await stand.store.read(run, {})).filter(({ type }) => type === 'turn.recorded');
        const turns = recorded.map(({ data }) => (data as { readonly turn: string }).turn);
        const { request } = must(await rebuildTurn(stand.store, run, turns.at(-1) ?? ''));
        const sent = JSON.stringify([request.prompt.blocks.map(({ text }) => text), request.tools]);
        expect(turns).toHaveLength(2);
        expect(sent).toContain(fixture.told.text);
        expect(sent).not.toContain('other words');
      },
    );

    it('any byte of a recorded turn answers with its origin', async () => {
      const host = await stand.open();
      const run = await begin(host, [says('Hello.')]);
      await until(host, run, isStill);
      const recorded = (await stand.store.read(run, {})).find(({ type }) => type === 'turn.recorded');
      const { turn } = (recorded?.data ?? {}) as { readonly turn: string };
      const rebuilt = must(await rebuildTurn(stand.store, run, turn));
      const { blocks } = rebuilt.request.prompt;
      const whole = Buffer.from(blocks.map(({ text }) => text).join('\n\n'));
      const at = whole.indexOf(fixture.told.text);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(explain({ blocks }, at)?.origin.ref).toContain(fixture.told.ref);
      for (let byte = 0; byte < whole.length; byte += 97) expect(explain({ blocks }, byte)).toBeDefined();
    });
  });
}

const ASKED =
  'what is asked is done when it is allowed, not when it is denied, and as changed when it is changed';

/** The text of a file of the project; undefined: there is none. */
export function projectFile(stand: Stand, path: string): string | undefined {
  try {
    return readFileSync(`${stand.project}/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
