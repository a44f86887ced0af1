import type { Client } from '@cuebook/api';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { stopwatch, timesText } from '../../../test/times.js';
import { goOn, isStill, machine, must, script, TARGETS, TOLD_ONLY, until } from './machines.js';

const WORKERS = share(2, 4);
const RUNS = share(3, 20);
const SPOKEN = 'These are words that come in pieces, and whoever follows hears them all.';
/** Each answer is words, or a turn that lasts until it is stopped. */
const STEP = {
  text: SPOKEN,
  instead: [{ heard: 'Take your time.', delayMs: 3_600_000, text: 'Too late.' }],
};
/** Those that can be spoken to. */
const TALKS = TARGETS.filter((target) => target !== 'sheet:once');

describePart('postgres', 'two servers and the workers of a project', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('live words reach who follows at either server, and a stop at either ends the turn, told by notifications alone', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl);
    const servers = [(await first.up({ ...TOLD_ONLY, take: { parallel: 0 } })).client];
    const second = machine(databaseUrl, first.key());
    servers.push((await second.up({ ...TOLD_ONLY, take: { parallel: 0 } })).client);
    for (let worker = 0; worker < WORKERS; worker += 1)
      await machine(databaseUrl, first.key()).work({ ...TOLD_ONLY, take: { parallel: RUNS } });
    const steps = script(...Array.from({ length: 200 }, () => STEP));
    const over = new AbortController();
    const [words, stops]: [number[], number[]] = [[], []];
    await Promise.all(
      Array.from({ length: RUNS }, async (_, index) => {
        const target = TALKS[index % TALKS.length] as string;
        const [here, there] = index % 2 === 0 ? servers : servers.toReversed();
        if (here === undefined || there === undefined) throw new Error('There are two servers.');
        const { run } = must(
          await here.startRun({ id: `run-${index}`, target, input: 'Go.', script: steps }),
        );
        const heard = servers.map((client) => listenTo(client, run, over.signal));
        await until(here, run, isStill);
        // Words that are spoken before the workers know who follows are lost: there is no promise about them.
        while (heard.some((each) => each.text() === '')) await anotherTurn(there, run, 'More.');
        const before = heard.map((each) => each.text().length);
        const sinceSaid = stopwatch();
        const hears = heard.map((each, at) => each.until((text) => text.slice(before[at]).endsWith(SPOKEN)));
        const took = Promise.all(hears).then(() => words.push(sinceSaid()));
        await anotherTurn(here, run, 'And more.');
        await took;
        const { seq } = must(await there.getReport({ run }));
        await goOn(there, run, 'Take your time.');
        await eventAfter(here, run, { seq, type: 'turn.recorded' });
        const sinceAsked = stopwatch();
        must(await there.stopRun({ run }));
        const report = await until(here, run, isStill);
        stops.push(sinceAsked());
        const { events } = must(await here.listEvents({ run, after: seq, limit: 1_000 }));
        expect(report.text).not.toBe('Too late.');
        expect(events.map(({ type }) => type)).not.toContain('effect.asked');
      }),
    );
    over.abort();
    console.log(`asked for at one server, seen at the other: a stop ${timesText(stops)}`);
    console.log(`said at one server, its answer heard word by word at both: ${timesText(words)}`);
  });
});

/** The live words of a run, as one server tells them. */
function listenTo(client: Client, run: string, signal: AbortSignal) {
  let text = '';
  let wake = (): void => undefined;
  void (async () => {
    for await (const each of client.follow({ run, signal })) {
      if (each.type !== 'live' || each.live.event.type !== 'text.delta') continue;
      text += each.live.event.text;
      wake();
    }
  })();
  return {
    text: () => text,
    async until(isWanted: (text: string) => boolean): Promise<void> {
      while (!isWanted(text))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

async function anotherTurn(client: Client, run: string, text: string): Promise<void> {
  const { turns } = must(await client.getReport({ run }));
  await goOn(client, run, text);
  await until(client, run, (each) => isStill(each) && each.turns === turns + 1);
}

/** Until the record of a run has an event behind a place. */
async function eventAfter(
  client: Client,
  run: string,
  { seq, type }: { readonly seq: number; readonly type: string },
): Promise<void> {
  const over = new AbortController();
  for await (const each of client.follow({ run, after: seq, signal: over.signal }))
    if (each.type === 'event' && each.event.type === type) over.abort();
}
