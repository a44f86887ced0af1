import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { lookAt } from './played-nodes.js';
import {
  call,
  must,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
  weaver,
} from './server-stand.js';

const WEAVER = `${weaver([])}Never knit.\n`;

let stand: ServerStand;
let run: string;
let turn: string;
beforeAll(async () => {
  stand = await serverStand({ git: true, files: { 'docs/templates/weaver.md': WEAVER } });
  stand.script({ lead: [says('A fine cloth.')] });
  const role = { alias: 'lead', role: 'weaver', capabilities: { edgeManagement: 'all' } };
  run = await start(stand, team([role], { goal: 'Weave.' }));
  await stand.client.messageNode({ run, node: 'lead', text: 'Begin.' });
  await until(stand, run, ({ quiet, turns }) => quiet && turns > 0);
  turn = (await lookAt(stand, run)).turns('lead')[0]?.turn ?? '';
});
afterAll(() => stand.remove());

describe('a turn on record', () => {
  it('has spans that cover its words exactly, and a receipt', async () => {
    const { full, receipt } = must(await stand.client.getTurn({ run, turn }));
    for (const { text, spans } of full.blocks) {
      expect(spans.map(({ start: first }) => first)).toEqual([
        0,
        ...spans.slice(0, -1).map(({ end }) => end),
      ]);
      expect(spans.at(-1)?.end).toBe(Buffer.byteLength(text));
    }
    expect(receipt).toMatchObject({ key: expect.stringMatching(/./), signature: expect.stringMatching(/./) });
    const { turns } = must(await stand.client.listRecorded({ run }));
    expect(turns[0]).toMatchObject({ turn, seq: receipt.seq });
  });

  it('is counted by block, and proven with the whole run', async () => {
    const { full, price } = must(await stand.client.countTurn({ run, turn }));
    const told = must(await stand.client.getTurn({ run, turn }));
    expect(full).toHaveLength(told.full.blocks.length);
    for (const [index, { text }] of told.full.blocks.entries())
      expect((full[index] ?? 0) > 0 && (full[index] ?? 0) <= text.length).toBe(true);
    expect(price).toBeNull();
    expect(must(await stand.client.proveTurn({ run, turn }))).toMatchObject({ ok: true, problems: [] });
  });

  it('tells the commit of a line that it was told, and of no other words there', async () => {
    const place = { run, turn, ref: 'docs/templates/weaver.md', line: 7 };
    expect(must(await stand.client.blameTurn({ ...place, words: 'You weave.' }))).toMatchObject({
      ...{ summary: 'first', author: 't', now: 'same' },
    });
    stand.write('docs/templates/weaver.md', WEAVER.replace('You weave.', 'You spin.'));
    expect(must(await stand.client.blameTurn({ ...place, words: 'You weave.' }))).toMatchObject({
      now: 'changed',
    });
    for (const other of [{ words: 'You sing.' }, { words: 'x', ref: '../../etc/passwd' }])
      expect(must(await stand.client.blameTurn({ ...place, ...other }))).toEqual({
        note: 'as it was told it is in no commit',
      });
  });

  it('has a whole request where its provider has one', async () => {
    const script = JSON.stringify({
      lanes: { lead: [{ text: call('finish_run', { ok: true, summary: 'Done.' }) }] },
    });
    const text = JSON.stringify({
      goal: 'Rehearse.',
      nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal' }],
    });
    const played = must(await stand.client.startRun({ team: { text }, script })).run;
    await until(stand, played, ({ status }) => status === 'completed');
    const id = must(await stand.client.listRecorded({ run: played })).turns[0]?.turn ?? '';
    const wire = must(await stand.client.getWire({ run: played, turn: id }));
    expect(wire).toMatchObject({ format: 'rehearsal', sent: true, masked: false });
    expect(wire.spans.at(-1)?.end).toBe(Buffer.byteLength(wire.text));
    const other = must(await stand.client.getWire({ run, turn }));
    expect(other).toMatchObject({
      format: 'line',
      text: must(await stand.client.getTurn({ run, turn })).full.text,
    });
  });
});

it('words are found in prompts, at their byte, and in events', async () => {
  const { found } = must(await stand.client.search({ text: 'never KNIT' }));
  const [prompt] = found.filter(({ kind }) => kind === 'prompt');
  expect(prompt).toMatchObject({ run, turn, where: 'role' });
  const { full } = must(await stand.client.getTurn({ run, turn }));
  expect(
    Buffer.from(full.text)
      .subarray(prompt?.byte ?? 0)
      .toString(),
  ).toMatch(/^Never knit\./);
  const events = must(await stand.client.search({ text: 'a fine cloth' })).found;
  expect(events).toContainEqual(expect.objectContaining({ run, kind: 'event', where: 'effect.settled' }));
  expect(await stand.client.search({ text: ' ' })).toMatchObject({ ok: false, error: { field: 'text' } });
});

it('news name the run in which something happens, and nothing that was before', async () => {
  const stop = new AbortController();
  const heard: string[] = [];
  let fresh = '';
  for await (const news of stand.client.watch({ signal: stop.signal })) {
    if (news.type === 'ready') fresh = await start(stand, team([{ alias: 'calm' }]));
    if (news.type === 'changed') heard.push(...news.runs);
    if (heard.includes(fresh)) stop.abort();
  }
  expect(new Set(heard)).toEqual(new Set([fresh]));
});

it('a project without a remote has nowhere to push to', async () => {
  expect(await stand.client.pushWork({ branch: 'work' })).toMatchObject({
    ok: false,
    error: { code: 'E_WORKSPACE_PUSH', status: 409 },
  });
});
