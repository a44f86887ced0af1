import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import { afterEach, describe, expect } from 'vitest';
import { itInTurn as it, itInTurn } from '../../../../test/runs.js';
import { type Act, type CliStand, cliStand } from '../../test/cli-stand.js';
import { nodeOf, startRun, stateOf, until } from '../../test/host-stand.js';
import type { TeamState } from '../run/state.js';
import type { TeamHost } from './contract.js';

let stand: CliStand;
let host: TeamHost;
afterEach(() => stand.remove());

const words = (says: string): string =>
  `[template]\nname = "writer"\nversion = "1"\ncapabilities = ["write_docs"]\nconstraints = []\n\n${says}\n`;
const WRITER = 'docs/templates/writer.md';
/** A team of one; each has an alias, and so a script, of its own. */
const team = (alias: string, { role = 'writer', workspace = 'own' } = {}) => ({
  text: `goal: Work.\nmode: INTERACTIVE\nprovider: cli\nnodes: [{ alias: ${alias}, role: ${role}, workspace: ${workspace} }]\n`,
});
const isDone = (alias: string, turn: number) => (state: TeamState) =>
  nodeOf(state, alias).lastTurn === turn && nodeOf(state, alias).work === null;

/** A run of an agent in the project's own folder that does this in its first turn. */
async function agentDoes(acts: readonly Act[], files: Readonly<Record<string, string>>): Promise<RunId> {
  stand = await cliStand({ files });
  stand.script({ agent: [acts, [], []], '*': [] });
  host = await stand.open();
  const run = await startRun(host, { team: team('agent', { role: 'planner', workspace: 'shared' }) });
  await until(host, run, isDone('agent', 1));
  return run;
}
const agentWrites = (path: string, content: string, files: Readonly<Record<string, string>> = {}) =>
  agentDoes([{ write: { path, content } }], files);

/** Starts a run of one node, and answers what it was told and what is said about the start. */
async function start(alias: string, options: Parameters<typeof team>[1] = {}) {
  const begun = await host.startRun({ id: alias, by: 'ann', team: team(alias, options) });
  if (!begun.ok) return { error: begun.error };
  const { run, diagnostics } = begun.value;
  await until(host, run, isDone(alias, 1));
  const codes = diagnostics.map(({ code }) => code);
  return { run, codes, diagnostics, told: stand.heard(alias).at(-1)?.prompt ?? '' };
}
const requireRun = (started: Awaited<ReturnType<typeof start>>): RunId => {
  if (started.run === undefined) throw new Error(JSON.stringify(started.error));
  return started.run;
};

const asksIn = async (run: RunId) => (await host.approvals()).filter((row) => row.run === run);
async function answer(run: RunId, decision: 'allow' | 'deny'): Promise<void> {
  const [asked] = await asksIn(run);
  const resolve = { type: 'approval.resolve', approval: asked?.id ?? '', by: 'ann' } as const;
  const answered = await host.submit(run, { ...resolve, id: `${decision} ${asked?.id}`, decision });
  expect(answered).toMatchObject({ ok: true });
}
const untilWritten = (text: string) =>
  expect.poll(() => readFileSync(join(stand.project, WRITER), 'utf8')).toContain(text);
/** A run whose agent puts its words into the project's template, and is at work until the file `go` is there. */
async function startWriter(): Promise<{ readonly first: RunId; readonly go: string }> {
  stand = await cliStand({ files: { [WRITER]: words('FIRST WORDS') } });
  const go = join(stand.root, 'go');
  stand.script({
    agent: [[{ write: { path: WRITER, content: words('ANYTHING') } }, { waitFor: go }]],
    '*': [],
  });
  host = await stand.open();
  return { first: await startRun(host, { team: team('agent', { workspace: 'shared' }) }), go };
}
const stop = (run: RunId) => host.submit(run, { type: 'run.stop', by: 'ann', id: `stop ${run}` });

describe('words that an agent put into a role template of the project', () => {
  it('are in no later run until a person allows them in one, also when the first is over and removed', async () => {
    const first = await agentWrites(WRITER, words('ANYTHING'), { [WRITER]: words('FIRST WORDS') });
    await stop(first);
    await host.drain();
    expect(await asksIn(first)).toEqual([]);
    await stand.store.removeRun(first);
    const second = await start('second');
    expect(second.told).toContain('FIRST WORDS');
    expect(second.diagnostics).toMatchObject([
      {
        code: 'W_ROLE_UNALLOWED',
        severity: 'warning',
        file: WRITER,
        message: expect.stringContaining(first),
      },
    ]);
    const run = requireRun(second);
    expect(await asksIn(run)).toMatchObject([{ tool: 'edit_role_template', input: { name: 'writer' } }]);
    // A later process has not forgotten either.
    await stand.stopAll();
    host = await stand.open();
    const third = await start('third');
    expect(third.told).toContain('FIRST WORDS');
    await answer(run, 'allow');
    const fourth = await start('fourth');
    expect(fourth).toMatchObject({ codes: [], told: expect.stringContaining('ANYTHING') });
  });

  it('are asked about again when an agent goes back to them', async () => {
    const first = await agentWrites(WRITER, words('OLD WORDS'), { [WRITER]: words('FIRST WORDS') });
    await answer(first, 'allow');
    expect((await start('second')).told).toContain('OLD WORDS');
    stand.write(WRITER, words('NEW WORDS'));
    await start('third');
    stand.script({ rogue: [[{ write: { path: WRITER, content: words('OLD WORDS') } }]], '*': [] });
    const rogue = await startRun(host, { team: team('rogue', { role: 'writer', workspace: 'shared' }) });
    await until(host, rogue, isDone('rogue', 1));
    expect(await start('fourth')).toMatchObject({
      codes: ['W_ROLE_UNALLOWED'],
      told: expect.stringContaining('NEW WORDS'),
    });
  });

  it('are nobody’s question any more once they are denied, and still not used', async () => {
    const first = await agentWrites(WRITER, words('ANYTHING'), { [WRITER]: words('FIRST WORDS') });
    await answer(first, 'deny');
    const second = await start('second');
    expect(second.told).toContain('FIRST WORDS');
    expect(second.diagnostics?.[0]?.message).toContain('denied');
    expect(await asksIn(requireRun(second))).toEqual([]);
  });

  itInTurn(
    'keep a team from starting that has nothing else; a change by a person makes them theirs',
    async () => {
      const first = await agentWrites(WRITER, words('ANYTHING'));
      await stop(first);
      const refused = await start('second');
      expect(refused.error).toMatchObject({
        code: 'E_ROLE_UNALLOWED',
        kind: 'invalid',
        message: expect.stringContaining('given.team.yaml:4'),
      });
      expect(stand.heard('second')).toEqual([]);
      // Whoever does not need the role is asked about it and goes on.
      const other = await start('other', { role: 'planner' });
      expect(other.codes).toEqual(['W_ROLE_UNALLOWED']);
      expect(await asksIn(requireRun(other))).toHaveLength(1);
      stand.write(WRITER, words('ANYTHING').replace('"1"', '"2"'));
      expect(await start('third')).toMatchObject({ codes: [], told: expect.stringContaining('ANYTHING') });
    },
  );

  it('do not take the place of a shipped role, nor does its deletion bring one back', async () => {
    await agentWrites('docs/templates/implementer.md', 'ANYTHING\n');
    const second = await start('second', { role: 'implementer' });
    expect(second.told).not.toContain('ANYTHING');
    expect(second.told).toContain('[template]\nname = "implementer"');
    await stand.remove();
    await agentDoes([{ remove: 'docs/templates/implementer.md' }], {
      'docs/templates/implementer.md': 'MY OWN WORDS\n',
    });
    expect((await start('third', { role: 'implementer' })).told).toContain('MY OWN WORDS');
  });

  it('are in no run that begins while the agent is still at work; then its person is asked', async () => {
    const { first, go } = await startWriter();
    await untilWritten('ANYTHING');
    const second = await start('second');
    expect(second).toMatchObject({
      codes: ['W_ROLE_UNALLOWED'],
      told: expect.stringContaining('FIRST WORDS'),
    });
    writeFileSync(go, '');
    await until(host, first, isDone('agent', 1));
    expect(await asksIn(requireRun(second))).toHaveLength(1);
  });

  it('are known also when nobody could look at what the agent changed', async () => {
    const { first, go } = await startWriter();
    const folder = join(stand.homeFolder, 'workspaces', first);
    const record = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    await untilWritten('ANYTHING');
    writeFileSync(join(folder, record()[0] ?? ''), 'damaged');
    writeFileSync(go, '');
    await until(host, first, (state) => nodeOf(state, 'agent').hold !== null);
    expect(nodeOf(await stateOf(host, first), 'agent').hold).toMatchObject({ code: 'E_CHANGES_UNKNOWN' });
    expect((await start('second')).told).toContain('FIRST WORDS');
  });

  it('count once a person has applied them, though an agent in the folder itself wrote the same', async () => {
    const text = words('ANYTHING');
    await agentWrites(WRITER, text, { [WRITER]: words('FIRST WORDS') });
    stand.write(WRITER, words('FIRST WORDS'));
    stand.script({ own: [[{ write: { path: WRITER, content: text } }]], '*': [] });
    const own = await startRun(host, { team: team('own') });
    await until(host, own, isDone('own', 1));
    expect((await start('second')).told).toContain('FIRST WORDS');
    expect(await host.work.apply({ run: own }, { dryRun: true })).toMatchObject({ ok: true });
    expect((await start('third')).told).toContain('FIRST WORDS');
    expect(await host.work.apply({ run: own })).toMatchObject({ ok: true, value: { conflicts: [] } });
    expect(await start('fourth')).toMatchObject({ codes: [], told: expect.stringContaining('ANYTHING') });
  });

  it('are an agent’s also when what is known of them cannot be read', async () => {
    const first = await agentWrites(WRITER, words('ANYTHING'), { [WRITER]: words('FIRST WORDS') });
    await answer(first, 'allow');
    const folder = join(stand.homeFolder, 'templates');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"state":"allowed"}');
    expect((await start('second')).error).toMatchObject({ code: 'E_ROLE_UNALLOWED' });
    rmSync(folder, { recursive: true });
    expect((await start('third')).codes).toEqual([]);
  });
});
