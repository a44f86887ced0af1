import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient, type Followed } from '@cuebook/api';
import { auditRun } from '@cuebook/engine';
import { openStore, type RunId } from '@cuebook/journal';
import { createTeamMachine } from '@cuebook/team';
import { afterAll, afterEach, beforeAll, describe, expect, it as itAlways } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { findServer } from '../src/start/find-server.js';
import { startServer } from '../src/start/start-server.js';
import { HARMLESS, lookAt } from './played-nodes.js';
import {
  atGate,
  call,
  heardIn,
  makeProject,
  must,
  nodeOf,
  onceSpoken,
  type ServerStand,
  says,
  serverStand,
  start,
  startOptions,
  team,
  until,
} from './server-stand.js';

describe('the events of a run', () => {
  let stand: ServerStand;
  beforeAll(async () => {
    stand = await serverStand();
  });
  afterAll(() => stand.remove());

  it('65: each has an id, its run, time and type; the order of the record is the order of the words, also of 3,000 quick ones', async () => {
    const words = Array.from({ length: 3_000 }, (_, index) => ({ text: `${index} ` }));
    stand.script({ fast: [words] });
    const run = await start(stand, team([{ alias: 'fast', capabilities: HARMLESS }], { goal: undefined }));
    const heard: Followed[] = [];
    const stop = new AbortController();
    for await (const each of stand.client.follow({ run, signal: stop.signal })) {
      heard.push(each);
      if (each.type === 'ready') must(await stand.client.messageNode({ run, node: 'fast', text: 'Go.' }));
      if (each.type === 'event' && each.event.type === 'turn.closed') stop.abort();
    }
    const events = heard.flatMap((each) => (each.type === 'event' ? [each.event] : []));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const { id, at, type, hash, seq } of events) {
      expect(id).toBe(`${run}/${seq}`);
      expect(at).toBeGreaterThan(1_600_000_000_000);
      expect(type).toMatch(/^[a-z]+\.[a-z]+$/);
      expect(hash).toMatch(/^sha256:/);
    }
    const live = heard.flatMap((each) =>
      each.type === 'live' && each.live.event.type === 'text.delta' ? [each.live.event.text] : [],
    );
    const missed = heard.reduce((sum, each) => sum + (each.type === 'missed' ? each.count : 0), 0);
    expect(live.map(Number)).toEqual([...live.map(Number)].sort((a, b) => a - b));
    const [turn] = must(await stand.client.listTurns({ run })).turns;
    expect(turn?.text?.trim().split(' ').map(Number)).toEqual(words.map((_, index) => index));
    if (missed === 0) expect(live.join('')).toBe(words.map(({ text }) => text).join(''));
  });

  itAlways('resume at any cursor, by the query and by Last-Event-ID', async () => {
    stand.script({ once: [says('Yes.')] });
    const run = await start(stand, team([{ alias: 'once', capabilities: HARMLESS }]));
    const { view } = await lookAt(stand, run);
    for (const after of [0, 1, Math.floor(view.seq / 2), view.seq - 1, view.seq]) {
      for (const headers of [{}, { 'last-event-id': String(after) }]) {
        const stop = new AbortController();
        const path = 'last-event-id' in headers ? 'events?after=0' : `events?after=${after}`;
        const response = await fetch(`${stand.server.url}/api/v1/runs/${run}/${path}`, {
          headers: { authorization: `Bearer ${stand.server.token}`, ...headers },
          signal: stop.signal,
        });
        const reader = (response.body as ReadableStream<Uint8Array>).getReader();
        const decoder = new TextDecoder();
        let text = '';
        while (!text.includes('event: ready'))
          text += decoder.decode((await reader.read()).value, { stream: true });
        stop.abort();
        await reader.cancel().catch(() => undefined);
        const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
        expect(ids).toEqual(Array.from({ length: view.seq - after }, (_, index) => after + 1 + index));
      }
    }
  });

  it('72: a reset clears what waits, begins a new session with a full prompt, and the agent is well', async () => {
    stand.script({
      fresh: [says('One.'), [atGate(stand, 'fresh'), { text: 'Two.' }, { hang: true }], says('Three.')],
    });
    const run = await start(stand, team([{ alias: 'fresh', role: 'orchestrator', capabilities: HARMLESS }]));
    await lookAt(stand, run);
    must(await stand.client.messageNode({ run, node: 'fresh', text: 'Go on.' }));
    await onceSpoken(stand, run, 'fresh');
    must(await stand.client.messageNode({ run, node: 'fresh', text: 'This is forgotten.' }));
    must(await stand.client.resetNode({ run, node: 'fresh' }));
    const reset = await until(stand, run, ({ nodes }) => nodes.every(({ work }) => work === null));
    expect(nodeOf(reset, 'fresh')).toMatchObject({
      inbox: [],
      messages: [],
      session: { id: null },
      hold: null,
    });
    must(await stand.client.messageNode({ run, node: 'fresh', text: 'Begin again.' }));
    const played = await lookAt(stand, run);
    const last = played.turns('fresh').at(-1);
    expect(last).toMatchObject({ reason: 'done', prompt: 'full', text: 'Three.' });
    expect(played.events('node.reset')).toHaveLength(1);
    const prompt = await played.prompt('fresh', played.turns('fresh').length - 1);
    expect(prompt).toContain('Begin again.');
    expect(prompt).not.toContain('This is forgotten.');
    const heard = stand.heard('fresh');
    expect(heard.at(-1)?.sessionId).not.toBe(heard[0]?.sessionId);
  });

  it('hold no credential of the environment, and neither does anything else that is asked for', async () => {
    const secret = 'sk-live-3f9a8c1d7e5b2046';
    const { createRedactor } = await import('@cuebook/prompt');
    const redactor = createRedactor({
      roots: [['@project', stand.project]],
      private: [stand.root],
      names: [],
      credentials: [secret],
    });
    const other = await serverStand({ options: { redactor } });
    other.script({ leaky: [[{ text: `The key is ${secret}.` }, { use: { name: 'Bash', output: secret } }]] });
    const run = await start(other, team([{ alias: 'leaky', capabilities: HARMLESS }]), {
      goal: `Use ${secret} well.`,
    });
    const { view } = await lookAt(other, run);
    const turns = must(await other.client.listTurns({ run })).turns;
    const told = await Promise.all(turns.map(({ turn }) => other.client.getTurn({ run, turn })));
    expect(turns).toHaveLength(1);
    expect(JSON.stringify([turns, told])).not.toContain(secret);
    expect(
      JSON.stringify(ofTurns(must(await other.client.listEvents({ run, limit: 1_000 })).events)),
    ).not.toContain(secret);
    expect(view.nodes).toHaveLength(1);
    await other.remove();
  });
});

/** Events that hold what agents said; the goal is the person's own word, as they wrote it. */
const ofTurns = (events: readonly { readonly type: string; readonly data: unknown }[]) =>
  events.filter(({ type }) => type !== 'run.started');

describe('67: kill -9 of the server', () => {
  let program: ChildProgram;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    program = await buildProgram(new URL('./child/program.ts', import.meta.url));
  });
  afterAll(() => program.remove());
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  async function up(root: string): Promise<Client> {
    const started = spawn(process.execPath, [program.program, root], { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let errors = '';
    started.stderr.on('data', (bytes) => {
      errors += bytes;
    });
    const line = await new Promise<string>((resolve, reject) => {
      started.stdout.once('data', (bytes) => resolve(String(bytes)));
      started.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
    });
    return createClient(JSON.parse(line) as { url: string; token: string });
  }
  const kill = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
  };

  const WEAVER =
    '[template]\nname = "weaver"\nversion = "1"\ncapabilities = ["edge_management_all"]\nconstraints = []\n\nYou weave.\n';
  it('with a turn in flight, words that wait, an approval and a session: all are there again', async () => {
    const { root, project, home } = makeProject({ git: true, files: { 'docs/templates/weaver.md': WEAVER } });
    const lanes = {
      asker: [says(call('spawn_node', { label: 'Kid', alias: 'kid', roleTemplate: 'planner' }))],
      busy: [
        [{ text: 'At work.' }, { waitFor: join(root, 'go') }],
        says('Again, and done.'),
        says('Read them.'),
      ],
      reader: [[{ text: 'Reading.' }, { waitFor: join(root, 'go') }], says('Read again.')],
      done: [[{ write: { path: 'made.txt', content: 'made\n' } }, { text: 'Made.' }], says('I remember.')],
    };
    writeFileSync(join(root, 'script.json'), JSON.stringify({ lanes }));
    let client = await up(root);
    const nodes = [
      { alias: 'asker', role: 'weaver', capabilities: { ...HARMLESS, edgeManagement: 'all' } },
      { alias: 'busy', role: 'implementer', workspace: 'own', capabilities: {} },
      { alias: 'reader', role: 'implementer', capabilities: HARMLESS },
      { alias: 'done', role: 'implementer', workspace: 'own', capabilities: {} },
    ];
    const run = await start({ client }, team(nodes));
    for (const node of ['done', 'busy', 'reader']) must(await client.messageNode({ run, node, text: 'Go.' }));
    await until(
      { client },
      run,
      (view) =>
        view.needs.length === 1 &&
        nodeOf(view, 'done').lastTurn > 0 &&
        nodeOf(view, 'done').work === null &&
        nodeOf(view, 'busy').work !== null,
    );
    for (const alias of ['busy', 'reader']) await expect.poll(() => heardIn(root, alias).length).toBe(1);
    must(await client.messageNode({ run, node: 'busy', text: 'This waits.', id: 'waits' }));
    const before = must(await client.getRun({ run }));
    const log = must(await client.listEvents({ run, limit: 1_000 })).events;
    const artifact = must(await client.listTurns({ run, node: 'done' })).turns[0]?.diff?.artifact ?? '';
    const left = heardIn(root, 'busy')[0]?.pid ?? 0;
    expect(() => process.kill(left, 0)).not.toThrow();
    await kill();
    expect(existsSync(join(home, 'server.json'))).toBe(true);
    expect(await findServer(home)).toBeUndefined();

    client = await up(root);
    const after = must(await client.getRun({ run }));
    expect(must(await client.listEvents({ run, limit: log.length })).events).toEqual(log);
    expect(after.needs.filter(({ kind }) => kind === 'approval')).toEqual(before.needs);
    expect(nodeOf(after, 'busy').messages).toEqual(nodeOf(before, 'busy').messages);
    expect(nodeOf(after, 'done').session).toEqual(nodeOf(before, 'done').session);
    expect(must(await client.getArtifact({ run, hash: artifact })).text).toContain('+made');
    // The agent that was at work for the dead server is ended, and nothing else.
    await expect.poll(() => isAlive(left)).toBe(false);
    // The same command again, whose answer may have been lost, is done once.
    must(await client.messageNode({ run, node: 'busy', text: 'This waits.', id: 'waits' }));
    expect(nodeOf(must(await client.getRun({ run })), 'busy').messages).toHaveLength(1);

    // Of a turn that could only read nothing can be left over: it is taken again. What an agent with rights had done
    // nobody can know: a person says so.
    const doubt = await until(
      { client },
      run,
      (view) => view.needs.length === 2 && nodeOf(view, 'reader').work === null,
    );
    expect(doubt.needs).toMatchObject([
      { kind: 'approval' },
      { kind: 'outcome', node: nodeOf(doubt, 'busy').id },
    ]);
    for (const need of doubt.needs) {
      if (need.kind === 'outcome')
        must(await client.resolveDoubt({ run, effect: need.effect, outcome: 'not-done' }));
      if (need.kind === 'approval')
        must(await client.resolveApproval({ run, approval: need.approval.id, decision: 'allow' }));
    }
    must(await client.messageNode({ run, node: 'done', text: 'Do you remember?' }));
    const end = await until({ client }, run, (view) => view.quiet && view.needs.length === 0);
    expect(end.nodes.map(({ alias }) => alias)).toContain('kid');
    const turns = must(await client.listTurns({ run })).turns;
    const spoken = (alias: string) =>
      turns.filter(({ node }) => node === nodeOf(end, alias).id).map(({ text }) => text);
    expect(spoken('busy')).toContain('Again, and done.');
    expect(spoken('reader')).toEqual(['Read again.']);
    expect(spoken('done')).toEqual(['I remember.', 'Made.']);
    const sessions = heardIn(root, 'done').map(({ sessionId }) => sessionId);
    expect(new Set(sessions).size).toBe(1);
    expect(existsSync(join(project, 'made.txt'))).toBe(false);

    const opened = await openStore({ file: join(home, 'journal.db') });
    if (!opened.ok) throw new Error(opened.error.code);
    const machine = createTeamMachine({ resumes: () => true, nativeTools: () => true });
    expect(await auditRun(opened.value, machine, run as RunId)).toEqual([]);
    const problems: unknown[] = [];
    for await (const problem of opened.value.audit(run as RunId)) problems.push(problem);
    expect(problems).toEqual([]);
    await opened.value.close();
    await kill();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('of many processes that start at the same moment one serves, and the others say where', async () => {
    const { root } = makeProject();
    const children = Array.from({ length: share(5, 30) }, () =>
      spawn(process.execPath, [program.program, root, '2000'], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    // One of them is killed in the middle of it, and is in nobody's way.
    children[0]?.once('spawn', () => children[0]?.kill('SIGKILL'));
    const said = await Promise.all(
      children.map(async (each) => {
        let [out, err] = ['', ''];
        each.stderr.on('data', (part) => (err += part));
        await new Promise((resolve) => {
          each.stdout.on('data', (part) => {
            out += part;
            if (out.includes('\n')) resolve(undefined);
          });
          each.once('close', resolve);
        });
        return { out, err };
      }),
    );
    // The one that is killed may have served before: then there was a time for each of the two.
    const urls = said.map(({ out }) => (out === '' ? undefined : (JSON.parse(out).url as string)));
    expect(urls.slice(1).filter((url) => url !== undefined)).toHaveLength(1);
    const refused = said.slice(1).flatMap(({ out, err }) => (out === '' ? [JSON.parse(err)] : []));
    expect(refused).toHaveLength(children.length - 2);
    for (const { code, message } of refused) {
      expect(code).toBe('E_SERVER_RUNNING');
      expect(urls.some((url) => url !== undefined && message.includes(url))).toBe(true);
    }
    const ends = children.map((each) =>
      each.exitCode === null && each.signalCode === null
        ? new Promise((resolve) => each.once('exit', resolve))
        : undefined,
    );
    for (const each of children) each.kill('SIGTERM');
    await Promise.all(ends);
    rmSync(root, { recursive: true, force: true });
  });

  it('refuses a second server while the first lives, and ends cleanly when it is asked to', async () => {
    const { root, home } = makeProject();
    const client = await up(root);
    expect(await startServer(startOptions(root))).toMatchObject({
      ok: false,
      error: { code: 'E_SERVER_RUNNING' },
    });
    expect(must(await client.listRuns()).runs).toEqual([]);
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(existsSync(join(home, 'server.json'))).toBe(false);
    expect(readFileSync(join(home, 'server.token'), 'utf8')).toMatch(/^[\w-]{43}\n$/);
    rmSync(root, { recursive: true, force: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    // No such process.
    return false;
  }
}
