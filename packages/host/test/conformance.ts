import { readFileSync } from 'node:fs';
import { type RunId, verifyRun } from '@cuebook/journal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keysOf } from '../../journal/test/turns.js';
import { runOf } from '../src/host.js';
import type { Host, RunKind, RunReport } from '../src/index.js';
import { hostStand, must, type Stand, until } from './stand.js';

/** What a kind hands in to be held to the promises of every kind. */
export interface KindFixture {
  readonly kind: RunKind;
  readonly files: Readonly<Record<string, string>>;
  readonly target: string;
  /** A script in which whoever is asked first takes these steps. */
  readonly script: (steps: readonly object[]) => string;
  /** How the report stands after a turn that only says something. */
  readonly afterWords: RunReport['status'];
  /** A step that asks a person for a permission, and what of the report tells that it was done; left out: none asks. */
  readonly asks?: {
    readonly step: object;
    /** What is asked for instead. */
    readonly changed?: object;
    readonly isDone: (stand: Stand) => string | undefined;
    readonly done: string;
    readonly changedTo: string;
  };
}

/** The promises that every kind of run keeps. */
export function describeKind(name: string, fixture: KindFixture): void {
  describe(`${name} as a kind of run`, () => {
    let stand: Stand;
    beforeEach(async () => {
      stand = await hostStand({ kinds: [fixture.kind], files: fixture.files });
    });
    afterEach(() => stand.remove());

    const { target, script, afterWords } = fixture;
    const start = (host: Host, steps: readonly object[], more: object = {}) =>
      host.begin({ id: 'start', by: 'ann', target, input: 'Begin.', script: script(steps), ...more });
    const begin = async (host: Host, steps: readonly object[], more: object = {}): Promise<RunId> =>
      must(await start(host, steps, more)).run;
    const isStill = ({ status }: RunReport): boolean => status !== 'running' && status !== 'new';

    it('begins once for an id, and another call with that id is a conflict', async () => {
      const host = await stand.open();
      const run = await begin(host, [{ text: 'Hello.' }]);
      expect(await begin(host, [{ text: 'Hello.' }])).toBe(run);
      expect(await start(host, [{ text: 'Other.' }])).toMatchObject({
        ok: false,
        error: { code: 'E_COMMAND_CONFLICT', kind: 'conflict' },
      });
      await host.drain();
      const report = await until(host, run, isStill);
      expect(report).toMatchObject({ run, kind: fixture.kind.name, target, status: afterWords, turns: 1 });
      expect(JSON.stringify(report)).toContain('Hello.');
      expect(await host.kindOf(run)).toBe(fixture.kind.name);
    });

    it('a target that is not there is refused, and leaves nothing', async () => {
      const host = await stand.open();
      const [prefix] = target.split(':');
      const refused = await host.begin({ id: 'x', by: 'ann', target: `${prefix}:not-there`, input: 'Hi.' });
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
      host.watch(runOf('start'), ({ event, effect }) => {
        if (event.type === 'text.delta') words.push(event.text);
        lanes.add(effect);
      });
      const run = await begin(host, [{ text: 'One word and another, and a third.' }]);
      const following = ends.map(async ({ signal }, index) => {
        for await (const { seq, type } of host.events(run, { after: 0, signal }))
          seen[index]?.push(`${seq} ${type}`);
      });
      const { seq } = await until(host, run, isStill);
      await host.drain();
      while (seen.some((each) => each.length < seq)) await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends) end.abort();
      await Promise.allSettled(following);
      const record = (await stand.store.read(run, {})).map(({ seq: at, type }) => `${at} ${type}`);
      expect(seen[0].slice(0, record.length)).toEqual(record);
      expect(seen[1]).toEqual(seen[0]);
      expect(words.join('')).toBe('One word and another, and a third.');
      const turns = (await stand.store.read(run, {})).filter(({ type }) => type === 'turn.recorded');
      expect([...lanes]).toEqual(turns.map(({ data }) => (data as { readonly turn: string }).turn));
    });

    it('a spent budget waits, is listed with what shows it, and goes on when it is raised', async () => {
      const host = await stand.open();
      const run = await begin(host, [{ text: 'One.' }, { text: 'Two.' }], { budget: { turns: 1 } });
      await until(host, run, isStill);
      await host.tell(run, { type: 'say', text: 'More.' }, { id: 'say', by: 'ann' });
      await until(host, run, ({ waits }) => waits.some((each) => each.for === 'budget'));
      await host.drain();
      const [wait] = (await host.waiting()).filter((each) => each.for === 'budget');
      expect(wait).toMatchObject({ run, kind: fixture.kind.name, answers: ['TURNS'] });
      expect(wait?.evidence).toMatchObject({ unit: 'turns', limit: 1 });
      expect(await host.answer(wait as never, { texts: ['many'] }, { id: 'a0', by: 'ann' })).toMatchObject({
        ok: false,
        error: { code: 'E_REPLY' },
      });
      must(await host.answer(wait as never, { texts: ['5'] }, { id: 'a1', by: 'ann' }));
      const report = await until(host, run, (each) => isStill(each) && each.turns === 2);
      expect(JSON.stringify(report)).toContain('Two.');
    });

    it('goes on in another process, and the record verifies', async () => {
      const first = await stand.open();
      const run = await begin(first, [{ text: 'One.' }, { text: 'Two.' }]);
      await until(first, run, isStill);
      await stand.stopAll('wait');
      const second = await stand.open();
      must(await second.tell(run, { type: 'say', text: 'More.' }, { id: 'say', by: 'ann' }));
      must(await second.tell(run, { type: 'say', text: 'More.' }, { id: 'say', by: 'ann' }));
      const report = await until(second, run, (each) => isStill(each) && each.turns === 2);
      expect(JSON.stringify(report)).toContain('Two.');
      await second.drain();
      const publicKeys = keysOf(stand.options.signer);
      expect(await verifyRun(stand.store, run, { publicKeys })).toMatchObject({ ok: true, problems: [] });
    });

    it('a turn that an orderly stop cut off is taken up by the next process by itself', async () => {
      const first = await stand.open();
      const run = await begin(first, [{ text: 'Slow words that take a while.', delayMs: 600_000 }]);
      await new Promise<void>((resolve) => first.watch(run, () => resolve()));
      await stand.stopAll('abort');
      const second = await stand.open();
      expect(must(await second.report(run)).status).toBe('running');
      must(await second.tell(run, { type: 'stop' }, { id: 'stop', by: 'ann' }));
      const report = await until(second, run, isStill);
      expect(['stopped', 'waiting', 'idle']).toContain(report.status);
    });

    if (fixture.asks) {
      const { asks } = fixture;
      it('what is asked is done when it is allowed, not when it is denied, and as changed when it is changed', async () => {
        const replies = [
          { decision: 'allow' },
          { decision: 'deny', message: 'Not today.' },
          ...(asks.changed === undefined ? [] : [{ decision: 'change', input: asks.changed }]),
        ] as const;
        const expected = [asks.done, undefined, asks.changedTo];
        for (const [index, reply] of replies.entries()) {
          await stand.remove();
          stand = await hostStand({ kinds: [fixture.kind], files: fixture.files });
          const host = await stand.open();
          const run = await begin(host, [asks.step, { text: 'After.' }]);
          await until(host, run, ({ waits }) => waits.length > 0);
          await host.drain();
          const [wait] = await host.waiting();
          expect(wait).toMatchObject({
            run,
            kind: fixture.kind.name,
            for: 'approval',
            answers: ['yes', 'no'],
          });
          must(await host.answer(wait as never, reply as never, { id: 'answer', by: 'ann' }));
          await until(host, run, (each) => isStill(each) && each.turns === 2);
          expect(asks.isDone(stand)).toBe(expected[index]);
          expect((await host.waiting()).filter((each) => each.for === 'approval')).toEqual([]);
        }
      });
    }
  });
}

/** The text of a file of the project; undefined: there is none. */
export function projectFile(stand: Stand, path: string): string | undefined {
  try {
    return readFileSync(`${stand.project}/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
