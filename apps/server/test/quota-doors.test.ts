import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Client, ROUTES } from '@cuebook/api';
import { manualClock } from '@cuebook/engine';
import { expect, onTestFinished } from 'vitest';
import { anchorOf, NOW } from '../../../packages/bundle/test/platform.js';
import { AGENT, town } from '../../../packages/resident/test/life.js';
import { itInTurn as it } from '../../../test/runs.js';
import { PROJECT, script, until } from './machines.js';
import { must, type ServerStand, serverStand } from './server-stand.js';

/** A run of each kind that stands still, with what would have it go on. */
interface Standing {
  readonly agent: string;
  readonly workflow: string;
  readonly team: string;
}

interface Door {
  readonly name: string;
  /** The run is not where this would do anything, or may not be by then: it only must be shut. */
  readonly leadsNowhere?: true;
  readonly open: (client: Client, runs: Standing, stand: ServerStand) => Promise<Answer>;
}

type Answer = { readonly ok: boolean; readonly error?: { readonly code: string } };

const once = script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
let count = 0;
const fresh = (): string => {
  count += 1;
  return `cmd_${count}`;
};
const starts = (target: string, more: object = {}): Door => ({
  name: `start ${target}`,
  open: (client) =>
    client.startRun({
      ...{ id: fresh(), target, script: once, ...more },
      ...(target.startsWith('sheet:') ? {} : { input: 'Begin.' }),
    }),
});

/** Every door through which a run begins to spend, or goes on with it, beside those of a schedule and of lives. */
const DOORS: readonly Door[] = [
  starts('agent:desk'),
  starts('prompt:clerk'),
  starts('workflow:workflows/hb'),
  starts('sheet:once'),
  starts('team:team.yaml'),
  {
    name: 'start a team by its text',
    open: (client) =>
      client.startRun({ id: fresh(), team: { text: PROJECT['team.yaml'] ?? '' }, script: once }),
  },
  {
    name: 'a webhook',
    async open(client, _runs, { server }) {
      const { path, secret } = must(
        await client.addWebhook({ target: 'sheet:once', takes: {}, script: once }),
      );
      const [id, at] = [fresh(), String(Math.floor(Date.now() / 1_000))];
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const mac = createHmac('sha256', key).update(`${id}.${at}.{}`).digest('base64');
      const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
      const { error } = (await answer.json()) as { readonly error?: { readonly code: string } };
      return { ok: answer.ok, ...(error && { error }) };
    },
  },
  { name: 'a word to an agent', open: (client, { agent }) => client.say({ run: agent, text: 'More.' }) },
  {
    name: 'a word to a workflow',
    open: (client, { workflow }) => client.say({ run: workflow, text: 'More.' }),
  },
  { name: 'a word to a team', open: (client, { team }) => client.say({ run: team, text: 'More.' }) },
  {
    name: 'a message to a node',
    open: (client, { team }) => client.messageNode({ run: team, node: 'lead', text: 'More.' }),
  },
  {
    name: 'a node that is added',
    open: (client, { team }) =>
      client.addNode({ run: team, label: 'New', role: 'implementer', provider: 'rehearsal' }),
  },
  {
    name: 'other sources of a team',
    open(client, { team }, stand) {
      stand.write('team.yaml', (PROJECT['team.yaml'] ?? '').replace('Work.', `Work ${fresh()}.`));
      return client.updateRun({ id: fresh(), run: team });
    },
  },
  { name: 'another mode of a team', open: (client, { team }) => client.setMode({ run: team, mode: 'AUTO' }) },
  {
    name: 'a higher budget of an agent',
    open: (client, { agent }) => client.raiseBudget({ run: agent, tokens: 3_000_000 }),
  },
  {
    name: 'a higher budget of a workflow',
    open: (client, { workflow }) => client.raiseBudget({ run: workflow, tokens: 3_000_000 }),
  },
  {
    name: 'a higher budget of a team',
    open: (client, { team }) => client.raiseBudget({ run: team, tokens: 3_000_000 }),
  },
  {
    name: 'a higher budget of a node',
    open: (client, { team }) =>
      client.raiseBudget({ run: team, node: 'lead', turns: 500, tokens: 3_000_000 }),
  },
  { name: 'higher limits of a team', open: (client, { team }) => client.setLimits({ run: team, nodes: 9 }) },
  {
    name: 'other settings of a node',
    leadsNowhere: true,
    open: (client, { team }) => client.configureNode({ run: team, node: 'lead', override: 'Be brief.' }),
  },
  {
    name: 'a node that begins anew',
    leadsNowhere: true,
    open: (client, { team }) => client.resetNode({ run: team, node: 'lead' }),
  },
  {
    name: 'a node that goes on',
    leadsNowhere: true,
    open: (client, { team }) => client.resumeNode({ run: team, node: 'lead' }),
  },
  {
    name: 'an edge',
    leadsNowhere: true,
    open: (client, { team }) => client.addEdge({ run: team, from: 'lead', to: 'lead', type: 'report' }),
  },
  ...(['agent', 'workflow', 'team'] as const).flatMap((kind): readonly Door[] => [
    {
      name: `a ${kind} that goes on`,
      leadsNowhere: true,
      open: (client, runs) => client.resumeRun({ run: runs[kind] }),
    },
    {
      name: `what ${kind} was allowed`,
      leadsNowhere: true,
      open: (client, runs) =>
        client.resolveApproval({ run: runs[kind], approval: 'apr_1', decision: 'allow' }),
    },
    {
      name: `what ${kind} may have done`,
      leadsNowhere: true,
      open: (client, runs) => client.resolveDoubt({ run: runs[kind], effect: 'eff_1', outcome: 'not-done' }),
    },
  ]),
  {
    name: 'an answer to what waits',
    // What waits has been answered by a door before.
    leadsNowhere: true,
    async open(client, { workflow }) {
      const { waiting } = must(await client.listWaiting({ run: workflow }));
      return client.answerWait({ run: workflow, wait: waiting[0]?.id ?? '', reply: { texts: ['More.'] } });
    },
  },
];

it.each([['tokensPerDay'], ['runsAtOnce'], ['tokensPerMonth']] as const)(
  'with %s used up, no door lets a run spend, nothing is written, and every door opens when the limit is gone',
  async (limit) => {
    const stand = await serverStand({ files: PROJECT });
    onTestFinished(() => stand.remove());
    const { client } = stand;
    const begin = async (target: string): Promise<string> => {
      const { run } = must(await client.startRun({ id: fresh(), target, input: 'Begin.', script: once }));
      await until(client, run, ({ status, turns }) => status !== 'running' && turns === 1);
      return run;
    };
    const runs: Standing = {
      agent: await begin('agent:desk'),
      workflow: await begin('workflow:workflows/hb'),
      team: await begin('team:team.yaml'),
    };
    const seqs = async () =>
      Promise.all(Object.values(runs).map(async (run) => must(await client.getReport({ run })).seq));
    // These runs began while there was no limit, so nothing is reserved for them.
    must(await client.setQuota({ subject: 'project', limits: { [limit]: 0 } }));
    const before = await seqs();
    for (const { name, open } of DOORS)
      expect(await open(client, runs, stand), name).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    expect(await seqs()).toEqual(before);
    expect(must(await client.listRuns({ limit: 50 })).runs).toHaveLength(3);
    must(await client.removeQuota({ subject: 'project' }));
    for (const { name, open } of DOORS.filter((door) => door.leadsNowhere !== true))
      expect(await open(client, runs, stand), name).toMatchObject({ ok: true });
  },
);

it('other sources with which a team goes on by itself need room in the limits; those of other runs begin nothing', async () => {
  const stand = await serverStand({
    files: { ...PROJECT, 'auto.yaml': AUTO('[{ alias: hand, role: implementer }]') },
  });
  onTestFinished(() => stand.remove());
  const { client } = stand;
  const begin = async (target: string): Promise<string> => {
    const said = target === 'team:auto.yaml' ? {} : { input: 'Begin.' };
    const { run } = must(await client.startRun({ id: fresh(), target, ...said, script: once }));
    await until(client, run, ({ status }) => status !== 'running' && status !== 'new');
    return run;
  };
  const team = await begin('team:auto.yaml');
  const others = [await begin('agent:desk'), await begin('workflow:workflows/hb')];
  const turnsOf = async (run: string) => must(await client.getReport({ run })).turns;
  const before = await turnsOf(team);
  must(await client.setQuota({ subject: 'project', limits: { tokensPerDay: 0 } }));
  stand.write('auto.yaml', AUTO('[{ alias: hand, role: implementer }, { alias: lead, role: orchestrator }]'));
  stand.write('agents/prompts/clerk.ts', (PROJECT['agents/prompts/clerk.ts'] ?? '').replace('I am', 'It is'));
  stand.write(
    'workflows/hb/agents.json',
    (PROJECT['workflows/hb/agents.json'] ?? '').replace('Role', 'Part'),
  );
  expect(await client.updateRun({ run: team })).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
  for (const run of others) {
    const turns = await turnsOf(run);
    must(await client.updateRun({ run }));
    await stand.server.drain();
    expect(await turnsOf(run)).toBe(turns);
  }
  expect(await turnsOf(team)).toBe(before);
  must(await client.setQuota({ subject: 'project', limits: { tokensPerDay: 3_000_000 } }));
  must(await client.updateRun({ run: team }));
  await until(client, team, ({ turns }) => turns > before);
  const [use] = must(await client.listQuotas({})).uses;
  expect((use?.reserved ?? 0) + (use?.spent ?? 0)).toBeGreaterThan(0);
});

const AUTO = (nodes: string): string => `goal: Work.\nmode: AUTO\nprovider: rehearsal\nnodes: ${nodes}\n`;

const LIFE = `resident:${AGENT}`;
/** Every door through which the life of an agent begins to spend, or goes on with it. */
const LIFE_DOORS: readonly (readonly [
  name: string,
  open: (client: Client, run: string) => Promise<Answer>,
])[] = [
  ['a start', (client) => client.startRun({ id: fresh(), target: LIFE, script: once })],
  ['the same again', (client) => client.startRun({ id: 'life', target: LIFE, script: GOALS })],
  ['a life that goes on', (client, run) => client.resumeRun({ run })],
  ['a word', (client, run) => client.say({ run, text: 'More.' })],
  ['a higher budget', (client, run) => client.raiseBudget({ run, tokens: 3_000_000 })],
];

it.each([['tokensPerDay'], ['runsAtOnce'], ['tokensPerMonth']] as const)(
  'with %s used up, the life of an agent neither begins nor goes on, and does when the limit is gone',
  async (limit) => {
    const options = { clock: manualClock(NOW) };
    const stand = await serverStand({
      files: { 'agent.yaml': `agent: ${AGENT}\nstore: store\nlog: test-log\n` },
      options,
    });
    onTestFinished(() => stand.remove());
    const { client, project } = stand;
    const platform = await town([], { autonomous: { enabled: false } });
    for (const [key, bytes] of platform.store.all) {
      mkdirSync(dirname(join(project, 'store', key)), { recursive: true });
      writeFileSync(join(project, 'store', key), bytes);
    }
    stand.write('root.json', String(anchorOf(platform, AGENT).root));
    const start = () => client.startRun({ id: 'life', target: LIFE, script: GOALS });
    must(await client.setQuota({ subject: 'project', limits: { [limit]: 0 } }));
    expect(await start()).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    expect(must(await client.listRuns({ limit: 50 })).runs).toEqual([]);
    must(await client.removeQuota({ subject: 'project' }));
    const { run } = must(await start());
    await until(client, run, ({ status, turns }) => status === 'idle' && turns > 0);
    must(await client.stopRun({ run }));
    await until(client, run, ({ status }) => status === 'stopped');
    must(await client.setQuota({ subject: 'project', limits: { [limit]: 0 } }));
    const { seq } = must(await client.getReport({ run }));
    for (const [name, open] of LIFE_DOORS)
      expect(await open(client, run), name).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    await stand.server.drain();
    expect(must(await client.getReport({ run })).seq).toBe(seq);
    must(await client.removeQuota({ subject: 'project' }));
    must(await client.resumeRun({ run }));
  },
);

const GOALS = script({
  text: JSON.stringify([{ type: 'create', description: 'Read.', difficulty: 'medium' }]),
});

it('every request that changes a run is one of these doors, or lets nobody spend', async () => {
  const asked = new Set<string>();
  const client = new Proxy({} as Client, {
    get: (_, name: string) => async () => {
      asked.add(name);
      return { ok: true, value: { path: '', secret: '', waiting: [] } };
    },
  });
  const stand = { server: { url: 'http://127.0.0.1:9' }, write: () => undefined } as unknown as ServerStand;
  const runs: Standing = { agent: 'run_a', workflow: 'run_w', team: 'run_t' };
  for (const { open } of DOORS) await open(client, runs, stand).catch(() => undefined);
  const changing = Object.entries(ROUTES).flatMap(([name, { method, path }]) =>
    method !== 'GET' && (/^\/runs\b/.test(path) || path === '/waiting') ? [name] : [],
  );
  expect(changing.filter((name) => !asked.has(name)).sort()).toEqual([...SPEND_NOTHING].sort());
});

/** They end or hold something, or change no turn to come. */
const SPEND_NOTHING: readonly string[] = [
  ...['pauseRun', 'stopRun', 'finishRun', 'interrupt', 'interruptNode'],
  ...['keepPack', 'giveMark', 'applyWork', 'cleanWork'],
];
