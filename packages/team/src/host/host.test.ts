import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditRun } from '@cuebook/engine';
import { publicKeyOf, type RunId, rebuildTurn, turnOf, verifyRun } from '@cuebook/journal';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import {
  call,
  type HostStand,
  hostStand,
  nodeOf,
  problems,
  scriptOf,
  sha256,
  startRun,
  stateOf,
} from '../../test/host-stand.js';
import { createTeamMachine } from '../run/decide.js';

let stand: HostStand;
afterEach(async () => {
  if (problems.length > 0) console.error(problems.splice(0));
  await stand.remove();
});

const TEAM = `
goal: Greet the world.
nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: implementer }
edges: [{ from: lead, to: dev }]
`;

describe('a run by the real host', () => {
  it('goes from the goal to its end: handoff, edit, diff, reply, finish; and its record verifies', async () => {
    stand = await hostStand({ git: true, files: { 'a.txt': 'one\n', 'team.yaml': TEAM } });
    const host = await stand.open();
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({
        lead: [
          { text: `Go.\n${call('send_handoff', { to: 'dev', message: 'Write hello.txt.' })}` },
          { text: `Good.\n${call('finish_run', { ok: true, summary: 'Greeted.' })}` },
        ],
        dev: [
          {
            text: `Done.\n${call('send_handoff', { to: 'lead', message: 'It is there.' })}`,
            edits: [{ path: 'hello.txt', content: 'hello\n' }],
          },
        ],
      }),
    });
    await host.drain();
    const state = await stateOf(host, run);
    expect(state).toMatchObject({ status: 'completed', result: { summary: 'Greeted.' } });
    const events = await stand.store.read(run);
    const kept = events.filter(({ type }) => type === 'artifact.kept');
    expect(kept).toHaveLength(1);
    const [hash] = kept.map(({ data }) => (data as { readonly hash: string }).hash);
    const diff = await host.artifact(run, hash ?? '');
    expect(diff.ok && diff.value).toContain('+hello');
    expect((await host.workspaces(run)).ok).toBe(true);
    expect(nodeOf(state, 'dev').lastTurn).toBe(2);
    const key = publicKeyOf(stand.options.signer.publicKey);
    const verified = await verifyRun(stand.store, run, {
      publicKeys: new Map(key ? [[stand.options.signer.keyId, key]] : []),
    });
    expect(verified).toMatchObject({ ok: true, turns: 3, problems: [] });
    const machine = createTeamMachine({ resumes: () => true, nativeTools: () => true });
    expect(await auditRun(stand.store, machine, run)).toEqual([]);
    expect(readFileSync(join(stand.project, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('a context pack is kept with the run, and a handoff brings it into a prompt', async () => {
    stand = await hostStand({ files: { 'team.yaml': TEAM } });
    const host = await stand.open();
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({ lead: [{ text: 'wait' }] }),
    });
    await host.drain();
    const pack = {
      by: 'author',
      goal: 'Know the ground.',
      definitionOfDone: [],
      constraints: ['THE CONSTRAINT'],
      docRefs: [{ path: 'docs/a.md', excerpt: 'x'.repeat(200_000) }],
      relevantFiles: [],
      repoFacts: [],
      inputs: [],
      artifacts: [],
    } as const;
    const kept = await host.keepPack(run, pack);
    if (!kept.ok) throw new Error(kept.error.code);
    expect(kept.value).toMatchObject({ leftOut: 1 });
    expect(await host.keepPack(run, pack)).toEqual(kept);
    const found = await host.artifact(run, kept.value.ref.replace('contextpack://', ''));
    expect(found.ok && found.value).toContain('THE CONSTRAINT');
    expect(await host.keepPack('run_none' as RunId, pack)).toMatchObject({
      ok: false,
      error: { kind: 'notFound' },
    });
    const other = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({
        lead: [
          {
            text: [
              call('send_handoff', { to: 'dev', message: 'Go.', contextRef: kept.value.ref }),
              call('read_artifact', { ref: kept.value.ref }),
            ].join('\n'),
          },
          { text: 'wait' },
        ],
        dev: [{ text: 'read' }, { text: 'read' }],
      }),
    });
    await host.drain();
    // A pack belongs to its run: another run cannot name it.
    expect(await promptsOf(other, 'dev')).toEqual([]);
    const prompts = await promptsOf(other, 'lead');
    expect(prompts[1]).toContain('nothing called');
    expect(prompts.join()).not.toContain('THE CONSTRAINT');
  });

  it('the pack of a handoff stands in the prompt of who gets it', async () => {
    stand = await hostStand({ files: { 'team.yaml': TEAM.replace('goal:', 'mode: INTERACTIVE\ngoal:') } });
    const host = await stand.open();
    const pack = { by: 'author', goal: 'Know.', constraints: ['THE CONSTRAINT'] } as const;
    const none = {
      definitionOfDone: [],
      docRefs: [],
      relevantFiles: [],
      repoFacts: [],
      inputs: [],
      artifacts: [],
    };
    const ref = `contextpack://${sha256(JSON.stringify({ by: pack.by, goal: pack.goal, definitionOfDone: [], constraints: pack.constraints, docRefs: [], relevantFiles: [], repoFacts: [], inputs: [], artifacts: [] }))}`;
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({
        lead: [
          { text: 'wait' },
          { text: call('send_handoff', { to: 'dev', message: 'Go.', contextRef: ref }) },
        ],
        dev: [{ text: 'read' }],
      }),
    });
    await host.drain();
    expect(await host.keepPack(run, { ...pack, ...none })).toMatchObject({ ok: true, value: { ref } });
    await host.submit(run, { id: 'm', type: 'node.message', node: 'lead', text: 'Now.', by: 'ann' });
    await host.drain();
    expect((await promptsOf(run, 'dev'))[0]).toContain('THE CONSTRAINT');
  });

  it('says no with a code and a kind, and writes nothing', async () => {
    stand = await hostStand({ files: { 'team.yaml': TEAM } });
    const host = await stand.open();
    const start = { id: 'x', by: 'ann' } as const;
    const cases: readonly (readonly [unknown, object])[] = [
      [await host.startRun({ ...start, team: { file: 'none.yaml' } }), { kind: 'invalid', code: 'E_TARGET' }],
      [await host.startRun({ ...start, team: { text: 'nodes: 7' } }), { kind: 'invalid', code: 'E_TEAM' }],
      [
        await host.startRun({ ...start, team: { file: 'team.yaml' }, script: 'lanes: 7' }),
        { kind: 'invalid', code: 'E_SCRIPT' },
      ],
      [
        await host.startRun({ ...start, team: { text: `${TEAM}provider: nobody\n` } }),
        { kind: 'invalid', code: 'E_PROVIDER_CONFIG' },
      ],
      [
        await host.startRun({ ...start, team: { text: TEAM.replace('orchestrator', '../../secret') } }),
        { kind: 'invalid', code: 'E_TEAM' },
      ],
      [await host.read('run_none' as RunId), { kind: 'notFound', code: 'E_RUN_UNKNOWN' }],
      [
        await host.artifact('run_none' as RunId, sha256('x')),
        { kind: 'notFound', code: 'E_ARTIFACT_UNKNOWN' },
      ],
      [
        await host.submit('run_none' as RunId, { id: 'a', type: 'run.pause', by: 'ann' }),
        { kind: 'notFound', code: 'E_RUN_UNKNOWN' },
      ],
    ];
    for (const [answer, error] of cases) expect(answer).toMatchObject({ ok: false, error });
    expect(await stand.store.runs()).toEqual([]);
    const run = await startRun(host, {
      team: { file: 'team.yaml' },
      script: scriptOf({ '*': [{ text: 'hm' }] }),
    });
    const by = 'ann';
    const refused: readonly (readonly [unknown, object])[] = [
      [
        await host.submit(run, {
          id: 'a',
          type: 'node.configure',
          node: 'dev',
          to: { provider: 'nobody' },
          by,
        }),
        { kind: 'invalid', code: 'E_PROVIDER_CONFIG' },
      ],
      [
        await host.submit(run, { id: 'b', type: 'node.interrupt', node: 'ghost', by }),
        { kind: 'notFound', code: 'E_TEAM_NODE' },
      ],
      [
        await host.submit(run, { id: 'c', type: 'run.resume', by }),
        { kind: 'conflict', code: 'E_RUN_NOT_PAUSED' },
      ],
      [
        await host.submit(run, { id: 'd', type: 'effect.resolve', effect: 'none', outcome: 'not-done', by }),
        { kind: 'notFound', code: 'E_EFFECT_CLOSED' },
      ],
      [await host.submit(run, { id: 'e', type: 'run.stop', by }), {}],
    ];
    for (const [answer, error] of refused.slice(0, -1)) expect(answer).toMatchObject({ ok: false, error });
    expect(await host.submit(run, { id: 'f', type: 'run.pause', by })).toMatchObject({
      error: { kind: 'conflict', code: 'E_RUN_OVER' },
    });
    expect(await host.runs()).toMatchObject([{ run, status: 'stopped', goal: 'Greet the world.' }]);
  });
});

/** The prompts that a node got, whole. */
async function promptsOf(run: RunId, alias: string): Promise<readonly string[]> {
  const events = await stand.store.read(run);
  const nodes = events.flatMap(({ type, data }) =>
    type === 'node.added'
      ? [(data as { readonly node: { readonly id: string; readonly alias: string } }).node]
      : [],
  );
  const lane = `node/${nodes.find((node) => node.alias === alias)?.id}`;
  const turns = events.flatMap((event) => (event.type === 'turn.recorded' ? [turnOf(event) ?? ''] : []));
  const rebuilt = await Promise.all(turns.map((turn) => rebuildTurn(stand.store, run, turn)));
  return rebuilt.flatMap((turn) =>
    turn.ok && turn.value.lane === lane ? [turn.value.request.prompt.text] : [],
  );
}
