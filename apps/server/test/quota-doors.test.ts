import { createHmac } from 'node:crypto';
import type { Client } from '@cuebook/api';
import { expect, onTestFinished } from 'vitest';
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
    name: 'an answer to what waits',
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
    for (const { name, open } of DOORS.filter((door) => !LAST.has(door.name)))
      expect(await open(client, runs, stand), name).toMatchObject({ ok: true });
  },
);

/** What waits has been answered by a door before. */
const LAST: ReadonlySet<string> = new Set(['an answer to what waits']);
