import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { HARMLESS, lookAt } from './played-nodes.js';
import {
  type Act,
  atGate,
  call,
  must,
  nodeOf,
  onceSpoken,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
} from './server-stand.js';

let stand: ServerStand;
/** Turns end by their time here. Its run goes on beside all other tests, so that nobody waits for that time. */
let hasty: ServerStand;
let run: string;
beforeAll(async () => {
  stand = await serverStand({
    git: true,
    files: { 'a.txt': 'a\n', 'old.txt': 'old text that stays the same\n', 'gone.txt': 'gone\n' },
  });
  hasty = await serverStand({ options: { limits: { turn: { idleMs: 30_000 } } } });
  run = await beginSideBySide();
});
afterAll(async () => {
  await stand.remove();
  await hasty.remove();
});

/** Three that speak when all of them have begun, one that dies, one that says a word and hangs. */
function beginSideBySide(): Promise<string> {
  const meets = (alias: string): readonly Act[] => [
    { write: { path: join(hasty.root, alias), content: '' } },
    ...MEETING.map((other) => atGate(hasty, other)),
    { text: 'Met.' },
  ];
  hasty.script({
    dies: [[{ stderr: 'boom\n' }, { exit: 1 }]],
    hangs: [[{ text: 'Hm.' }, { deaf: true }]],
    ...Object.fromEntries(MEETING.map((alias) => [alias, [meets(alias)]])),
  });
  const nodes = ['dies', 'hangs', ...MEETING].map((alias) => ({
    alias,
    role: 'orchestrator',
    capabilities: HARMLESS,
  }));
  return start(hasty, team(nodes, { limits: { parallel: 8 } }));
}

const MEETING = ['s0', 's1', 's2'];

describe('58, 59: modes and the end', () => {
  it('AUTO: the one who leads is asked again when all is quiet, until it says that it is done', async () => {
    stand.script({
      auto: [
        says('Thinking.'),
        says('Still thinking, differently.'),
        says('There.', call('finish_run', { ok: true, summary: 'All done.' })),
      ],
      worker: [],
    });
    const run = await start(
      stand,
      team(
        [
          { alias: 'auto', role: 'orchestrator', capabilities: HARMLESS },
          { alias: 'worker', capabilities: HARMLESS },
        ],
        { mode: 'AUTO' },
      ),
    );
    const { view, turns } = await lookAt(stand, run);
    expect(view).toMatchObject({
      status: 'completed',
      result: { ok: true, summary: 'All done.', by: nodeOf(view, 'auto').id },
    });
    expect(turns('auto').map(({ cause }) => cause)).toEqual(['start', 'auto', 'auto']);
    expect(turns('worker')).toEqual([]);
    expect(await stand.client.messageNode({ run, node: 'auto', text: 'More?' })).toMatchObject({
      ok: false,
      error: { status: 409, code: 'E_RUN_OVER' },
    });
  });

  it('INTERACTIVE: nobody is asked again by itself, and messages and handoffs are heard', async () => {
    stand.script({
      calm: [says(call('send_handoff', { to: 'helper', message: 'Help.' }))],
      helper: [says('Helped.')],
    });
    const nodes = [
      { alias: 'calm', role: 'orchestrator', capabilities: HARMLESS },
      { alias: 'helper', capabilities: HARMLESS },
    ];
    const run = await start(stand, team(nodes, { edges: [{ from: 'calm', to: 'helper' }] }));
    const { view, turns } = await lookAt(stand, run);
    expect(view.status).toBe('running');
    expect([turns('calm').length, turns('helper').length]).toEqual([1, 1]);
  });

  it('a loop is found, said with its evidence, and gone on from by a word of a person', async () => {
    stand.script({
      loop: [
        says('Again.'),
        says('Again.'),
        says('Again.'),
        says('Done.', call('finish_run', { ok: true, summary: 'Out.' })),
      ],
    });
    const run = await start(
      stand,
      team([{ alias: 'loop', role: 'orchestrator', capabilities: HARMLESS }], { mode: 'AUTO' }),
    );
    const stuck = await until(stand, run, ({ needs }) => needs.length > 0);
    expect(stuck.needs[0]).toMatchObject({ kind: expect.stringMatching(/hold|pause/) });
    expect(JSON.stringify(stuck.needs)).toContain('"kind":"stall"');
    expect(stuck.turns).toBe(3);
    if (stuck.status === 'paused') must(await stand.client.resumeRun({ run }));
    if (nodeOf(stuck, 'loop').hold) must(await stand.client.resumeNode({ run, node: 'loop' }));
    const { view } = await until(stand, run, ({ status }) => status === 'completed').then(() =>
      lookAt(stand, run),
    );
    expect(view.result?.summary).toBe('Out.');
  });

  it('a budget is looked at before each turn, and raised by a person', async () => {
    stand.script({ rich: [says('One.'), says('Two.', call('finish_run', { ok: true, summary: 'Paid.' }))] });
    const run = await start(
      stand,
      team([{ alias: 'rich', role: 'orchestrator', capabilities: HARMLESS }], {
        mode: 'AUTO',
        budget: { turns: 1 },
      }),
    );
    const spent = await until(stand, run, ({ needs }) => needs.length > 0);
    expect(JSON.stringify(spent.needs)).toContain('1 of 1 turns');
    expect([
      ...spent.needs.map((need) =>
        need.kind === 'hold' ? need.hold.kind : need.kind === 'pause' ? need.pause.kind : '',
      ),
    ]).toContain('budget');
    expect(spent.turns).toBe(1);
    must(await stand.client.raiseBudget({ run, turns: 5 }));
    must(await stand.client.raiseBudget({ run, node: 'rich', turns: 5 }));
    const raised = must(await stand.client.getRun({ run }));
    if (nodeOf(raised, 'rich').hold) must(await stand.client.resumeNode({ run, node: 'rich' }));
    expect((await until(stand, run, ({ status }) => status === 'completed')).result?.summary).toBe('Paid.');
  });

  it('pause begins nothing more, with `interrupt` it ends what runs, and resume goes on with all that waited', async () => {
    stand.script({ long: [[atGate(stand, 'long'), { text: 'Working.' }, { hang: true }], says('Back.')] });
    const run = await start(stand, team([{ alias: 'long', role: 'orchestrator', capabilities: HARMLESS }]));
    await onceSpoken(stand, run, 'long');
    must(await stand.client.pauseRun({ run, interrupt: true }));
    must(await stand.client.messageNode({ run, node: 'long', text: 'Wait for me.' }));
    const paused = await until(stand, run, ({ nodes }) => nodes.every(({ work }) => work === null));
    expect(paused).toMatchObject({ status: 'paused', turns: 1, pause: { kind: 'person', by: 'owner' } });
    must(await stand.client.resumeRun({ run }));
    const { turns, prompt } = await lookAt(stand, run);
    expect(turns('long')[1]).toMatchObject({ reason: 'done', text: 'Back.' });
    expect(await prompt('long', 1)).toContain('Wait for me.');
  });

  it('a message that interrupts ends the turn and is heard first', async () => {
    stand.script({ chat: [[atGate(stand, 'chat'), { text: 'Talking.' }, { hang: true }], says('Yes?')] });
    const run = await start(stand, team([{ alias: 'chat', role: 'orchestrator', capabilities: HARMLESS }]));
    await onceSpoken(stand, run, 'chat');
    must(await stand.client.messageNode({ run, node: 'chat', text: 'Stop that.', interrupt: true }));
    const { turns, prompt } = await lookAt(stand, run);
    expect(turns('chat').map(({ reason, text }) => [reason, text])).toEqual([
      ['interrupted', 'Talking.'],
      ['done', 'Yes?'],
    ]);
    expect(await prompt('chat', 1)).toMatch(/delivery: interrupt\nStop that\./);
  });
});

describe('63, 64: what a turn did', () => {
  it('is a diff of exactly its own changes: edited, new, deleted, renamed; empty where nothing changed', async () => {
    const own = { workspace: 'own', provider: 'claude-like', capabilities: {} };
    stand.script({
      maker: [
        [
          { write: { path: 'a.txt', content: 'changed\n' } },
          { write: { path: 'sub/new.txt', content: 'new\n' } },
          { remove: 'gone.txt' },
          { rename: ['old.txt', 'renamed.txt'] },
          { text: 'Made.' },
        ],
      ],
      other: [[{ write: { path: 'other.txt', content: 'other\n' } }, { text: 'Made.' }], says('Nothing.')],
    });
    const run = await start(
      stand,
      team([
        { alias: 'maker', role: 'orchestrator', ...own },
        { alias: 'other', role: 'orchestrator', ...own },
      ]),
    );
    await lookAt(stand, run);
    await stand.client.messageNode({ run, node: 'other', text: 'Again.' });
    const { turns } = await lookAt(stand, run);
    const [made] = turns('maker');
    expect([...(made?.diff?.files ?? [])].sort()).toEqual(
      expect.arrayContaining(['a.txt', 'gone.txt', 'renamed.txt', 'sub/new.txt']),
    );
    expect(made?.diff?.files).not.toContain('other.txt');
    const { text } = must(await stand.client.getArtifact({ run, hash: made?.diff?.artifact ?? '' }));
    for (const line of ['+changed', '+new', '-gone', 'rename to renamed.txt']) expect(text).toContain(line);
    expect(turns('other').map(({ diff }) => diff?.files)).toEqual([['other.txt'], []]);
    expect(turns('other')[1]?.diff?.hash).toBeNull();

    const { workspaces } = must(await stand.client.listWorkspaces({ run }));
    expect(workspaces.map(({ kind }) => kind)).toEqual(['own', 'own']);
    expect(existsSync(join(stand.project, 'renamed.txt'))).toBe(false);
    const preview = must(await stand.client.applyWork({ run, dryRun: true }));
    expect(preview.conflicts).toEqual([]);
    expect(preview.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['a.txt', 'other.txt']));
    expect(existsSync(join(stand.project, 'other.txt'))).toBe(false);
    must(await stand.client.applyWork({ run }));
    expect(readFileSync(join(stand.project, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(existsSync(join(stand.project, 'other.txt'))).toBe(true);
    expect(must(await stand.client.cleanWork({ run })).removed).toHaveLength(2);
  });

  it('is every use of its own tools, as it happens, with what really came of it', async () => {
    stand.script({
      tools: [
        [
          { use: { name: 'Read', output: 'text' } },
          { use: { name: 'Bash', output: 'no', isError: true } },
          { use: { name: 'Read', output: 'more' } },
          { text: 'Used.' },
        ],
      ],
    });
    const run = await start(
      stand,
      team([{ alias: 'tools', role: 'orchestrator', provider: 'claude-like', capabilities: HARMLESS }], {
        goal: undefined,
      }),
    );
    const uses: unknown[] = [];
    const stop = new AbortController();
    for await (const heard of stand.client.follow({ run, signal: stop.signal })) {
      if (heard.type === 'ready') must(await stand.client.messageNode({ run, node: 'tools', text: 'Go.' }));
      if (heard.type === 'live' && heard.live.event.type === 'tool.end') {
        const { name, by, output, isError = false } = heard.live.event;
        uses.push([name, by, output, isError]);
      }
      if (heard.type === 'event' && heard.event.type === 'turn.closed') stop.abort();
    }
    expect(uses).toEqual([
      ['Read', 'agent', 'text', false],
      ['Bash', 'agent', 'no', true],
      ['Read', 'agent', 'more', false],
    ]);
  });
});

describe('54, 55, 57: turns side by side', () => {
  it('overlap; one that dies fails alone and with its words; one that hangs is ended by its time', async () => {
    const { view, turns, events } = await lookAt(hasty, run);
    for (const alias of MEETING) expect(turns(alias)).toMatchObject([{ reason: 'done', text: 'Met.' }]);
    expect(nodeOf(view, 'dies')).toMatchObject({
      status: 'failed',
      hold: { kind: 'failed', message: expect.stringContaining('boom') },
    });
    expect(JSON.stringify(events('node.held'))).toContain('boom');
    expect(nodeOf(view, 'hangs')).toMatchObject({ status: 'failed', hold: { kind: 'failed' } });
    expect(turns('hangs')[0]).toMatchObject({
      reason: 'failed',
      text: 'Hm.',
      error: { code: expect.stringMatching(/TIMEOUT|IDLE/) },
    });
    const pid = hasty.heard('hangs')[0]?.pid ?? 0;
    expect(() => process.kill(pid, 0)).toThrow();
    // A word of a person tries again.
    hasty.script({ dies: [[], says('Alive.')] });
    must(await hasty.client.resumeNode({ run, node: 'dies' }));
    expect((await lookAt(hasty, run)).turns('dies')[1]).toMatchObject({ reason: 'done', text: 'Alive.' });
  });
});
