import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import {
  call,
  type HostStand,
  hostStand,
  nodeOf,
  scriptOf,
  startRun,
  stateOf,
  until,
} from '../../test/host-stand.js';
import { isOver, type TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

const TEAM = `goal: Greet.
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer }
  - { alias: look, role: investigator }
edges: [{ from: lead, to: dev }, { from: lead, to: look }]
`;

let stand: HostStand;
let host: TeamHost;
beforeAll(async () => {
  const verify = (text: string): string =>
    TEAM.replace('nodes:', `verify: [${JSON.stringify(text)}]\nnodes:`);
  stand = await hostStand({
    git: true,
    files: {
      'team.yaml': TEAM,
      'fails.team.yaml': verify('test -f never'),
      'passes.team.yaml': verify('test -f src/hi.ts'),
      'src/a.ts': '1\n',
    },
  });
  host = await stand.open();
});
afterAll(async () => stand.remove());

const handoff = (to: string, message: string, more: object = {}): string =>
  call('send_handoff', { to, message, ...more });
const FINISH = call('finish_run', { ok: true, summary: 'It greets.' });
const EDIT = [{ path: 'src/hi.ts', content: 'hi\n' }];
const DEV = [{ text: handoff('lead', 'Done.'), edits: EDIT }, { text: 'ok' }, { text: 'ok' }];

/** What a node was told, as its conversation keeps it. */
const told = (state: TeamState, alias: string) =>
  nodeOf(state, alias).memory.turns.flatMap(({ taken }) => taken.results);

async function play(file: string, lanes: Readonly<Record<string, readonly object[]>>, until_ = isOver) {
  const run = await startRun(host, { team: { file }, script: scriptOf(lanes) });
  await until(host, run, until_);
  return { run, state: await stateOf(host, run) };
}

describe('the one who leads', () => {
  it('gets the diff with the handoff, reads it and the files, and finishes', async () => {
    const lead = [{ text: handoff('dev', 'Build it.') }];
    const first = await play('team.yaml', { lead: [...lead, { text: FINISH }], dev: DEV });
    const work = nodeOf(first.state, 'lead').memory.turns.at(-1)?.taken.inbox[0]?.work;
    expect(work).toMatchObject({
      checks: 'none',
      diffs: [{ files: ['src/hi.ts'], lines: { added: 1, removed: 0 } }],
    });
    const ref = work?.diffs[0]?.ref ?? '';
    const second = await play('team.yaml', {
      lead: [
        ...lead,
        {
          text: [
            call('read_artifact', { ref }),
            call('read_workspace', { node: 'dev', path: 'src/hi.ts' }),
            call('read_workspace', { node: 'dev' }),
            call('read_workspace', { node: 'dev', path: '.git/config' }),
          ].join('\n'),
        },
        { text: FINISH },
      ],
      dev: DEV,
    });
    const results = told(second.state, 'lead').flatMap((each) => (each.kind === 'call' ? [each.result] : []));
    expect(results.map(({ status }) => status).slice(-4)).toEqual(['ok', 'ok', 'ok', 'refused']);
    expect(results.at(-4)?.text).toContain('+hi');
    expect(results.at(-3)?.text).toBe('hi\n');
    expect(results.at(-2)?.text).toContain('src/');
    expect(second.state.status).toBe('completed');
  });

  it('a reference that the run does not have is told to be none', async () => {
    const ref = `artifact://sha256:${'0'.repeat(64)}`;
    const { state } = await play('team.yaml', {
      lead: [
        { text: [call('read_artifact', { ref }), handoff('dev', 'x', { contextRef: ref })].join('\n') },
        { text: FINISH },
      ],
      dev: DEV,
    });
    const texts = told(state, 'lead').flatMap((each) => (each.kind === 'call' ? [each.result] : []));
    expect(texts.map(({ status }) => status)).toEqual(['error', 'refused']);
    for (const { text } of texts) expect(text).toContain('nothing called');
  });

  it('keeps a context pack, and its receiver is told what is in it', async () => {
    const pack = {
      goal: 'Greet in German.',
      done: ['Says Hallo.'],
      files: [{ path: 'src/hi.ts', summary: 'the text' }],
    };
    const first = await play('team.yaml', {
      lead: [{ text: call('keep_context', pack) }, { text: FINISH }],
    });
    const kept = told(first.state, 'lead').flatMap((each) =>
      each.kind === 'call' ? [each.result.text] : [],
    );
    const { ref } = JSON.parse(kept[0] ?? '{}') as { ref: string };
    const { run, state } = await play('team.yaml', {
      lead: [
        { text: call('keep_context', pack) },
        { text: handoff('dev', 'As packed.', { contextRef: ref }) },
        { text: FINISH },
      ],
      dev: DEV,
    });
    expect(state.status).toBe('completed');
    const texts: string[] = [];
    for (const event of await stand.store.read(run, { limit: 1_000 })) {
      if (event.type === 'turn.recorded') texts.push(JSON.stringify(event.data));
    }
    expect(ref).toMatch(/^contextpack:\/\/sha256:/);
    expect(texts.length).toBeGreaterThan(2);
  });
});

describe('checks are not outrun', () => {
  it.each([1, 2, 3])('a check that fails keeps a quick lead from completing the run, try %i', async () => {
    const lead = [
      { text: handoff('dev', 'Build it.') },
      { text: FINISH },
      { text: 'I see.' },
      { text: 'Hm.' },
    ];
    const { state } = await play(
      'fails.team.yaml',
      { lead, dev: [...DEV, ...DEV] },
      (each) => isOver(each) || nodeOf(each, 'lead').lastTurn > 3 || nodeOf(each, 'lead').hold !== null,
    );
    expect(state.status).not.toBe('completed');
    expect(nodeOf(state, 'dev').verification).toContain('test -f never');
  });

  it('a check that passes completes it', async () => {
    const lead = [{ text: handoff('dev', 'Build it.') }, { text: FINISH }];
    const { state } = await play('passes.team.yaml', { lead, dev: DEV });
    expect(state).toMatchObject({ status: 'completed', result: { failing: [] } });
  });
});

describe('an investigator', () => {
  it('writes no file and runs no command, however it tries', async () => {
    const lead = [{ text: handoff('look', 'What is there?') }, { text: FINISH }];
    const look = [
      {
        text: [
          call('write_file', { path: 'src/x.ts', content: 'x' }),
          call('write_file', { path: 'docs/x.md', content: 'x' }),
          call('delete_file', { path: 'src/a.ts' }),
          call('command', { cmd: 'touch src/y.ts' }),
          call('read_file', { path: 'src/a.ts' }),
        ].join('\n'),
        edits: [{ path: 'src/z.ts', content: 'z' }],
      },
      { text: handoff('lead', 'Nothing.') },
    ];
    const { state } = await play('team.yaml', { lead, look });
    const results = told(state, 'look').flatMap((each) => (each.kind === 'call' ? [each.result.status] : []));
    expect(results).toEqual(['refused', 'refused', 'refused', 'refused', 'ok']);
    expect(nodeOf(state, 'look').made ?? []).toEqual([]);
  });
});
