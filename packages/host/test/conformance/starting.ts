import type { RunId } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { until } from '../stand.js';
import type { KindKit } from './kit.js';

/** How a run begins, and how it is followed. */
export function describeStarting(kit: KindKit): void {
  const { kind, target, call, shownTarget, afterWords, firstRun, says, stand, start, begin, isStill, heard } =
    kit;

  it('begins once for an id, and another call with that id is a conflict', async () => {
    const host = await stand().open();
    const run = await begin(host, [says('Hello.')]);
    expect(await begin(host, [says('Hello.')])).toBe(run);
    expect(await start(host, [says('Other.')])).toMatchObject({
      ok: false,
      error: { code: 'E_COMMAND_CONFLICT', kind: 'conflict' },
    });
    expect(await start(host, [says('Hello.')], { options: { ...call.options, other: 'x' } })).toMatchObject({
      ok: false,
    });
    const report = await until(host, run, isStill);
    expect(report).toMatchObject({
      run,
      kind,
      target: shownTarget,
      status: afterWords,
      turns: 1,
      rehearsal: true,
    });
    expect(await heard(host, run)).toContain('Hello.');
    expect(await host.kindOf(run)).toBe(kind);
  });

  it('a target that is not there is refused, and leaves nothing', async () => {
    const host = await stand().open();
    const [prefix] = target.split(':');
    const refused = await host.begin({ id: 'x', by: 'ann', target: `${prefix}:not-there`, ...call });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await stand().store.runs()).toEqual([]);
    expect(JSON.stringify(refused)).not.toContain(stand().root);
  });

  it('a run that is not there is refused for every question', async () => {
    const host = await stand().open();
    const run = 'run_nothing' as RunId;
    const said = { id: 'x', by: 'ann' };
    const unknown = { ok: false, error: { code: 'E_RUN_UNKNOWN', kind: 'notFound' } };
    expect(await host.report(run)).toMatchObject(unknown);
    expect(await host.tell(run, { type: 'stop' }, said)).toMatchObject(unknown);
    expect(await host.answer({ run, id: run }, { texts: ['x'] }, said)).toMatchObject(unknown);
    expect(await host.waiting({ run })).toEqual([]);
  });

  it('two followers and the record agree, and live words come with the turn', async () => {
    const host = await stand().open();
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
    const record = (await stand().store.read(run, {})).map(({ seq: at, type }) => `${at} ${type}`);
    expect(seen[0].slice(0, record.length)).toEqual(record);
    expect(seen[1]).toEqual(seen[0]);
    expect(words.join('')).toBe((step as { readonly text: string }).text);
    const turns = (await stand().store.read(run, {})).filter(({ type }) => type === 'turn.recorded');
    expect([...lanes]).toEqual(turns.map(({ data }) => (data as { readonly turn: string }).turn));
  });
}
