import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { HARMLESS } from './played-nodes.js';
import {
  call,
  must,
  nodeOf,
  ofType,
  played,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
  weaver,
} from './server-stand.js';

const WEAVER = weaver(['edge_management_all', 'run_commands'], ['no_edits']).replace('version = "1"\n', '');

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand({ files: { 'docs/templates/weaver.md': WEAVER } });
  stand.write('cuebook.yaml', withLimits(stand, { parallel: 2, inbox: 7 }));
});
afterAll(() => stand.remove());

/** The configuration of the stand, with limits for all its teams. */
function withLimits({ root }: ServerStand, limits: object): string {
  const args = [program(), `${root}/script.json`, `${root}/heard.jsonl`];
  const providers = { cli: { kind: 'line', command: process.execPath, args } };
  return JSON.stringify({ providers, team: { limits } });
}
const program = (): string =>
  new URL('../../../packages/team/test/scripted-cli.mjs', import.meta.url).pathname;

const LEAD = [{ alias: 'lead', role: 'orchestrator', capabilities: HARMLESS }];

describe('what bounds a run', () => {
  it('comes from the project, the team file and the start, in that order, and is shown', async () => {
    stand.script({ lead: [says('Hi.')] });
    const run = await start(stand, team(LEAD, { limits: { inbox: 9, nodes: 5 } }), { limits: { nodes: 6 } });
    const { limits } = must(await stand.client.getRun({ run }));
    expect(limits).toMatchObject({ parallel: 2, inbox: 9, nodes: 6, depth: 2 });
  });

  it('is changed while the run goes on, by an event that has the old and the new', async () => {
    stand.script({ lead: [says('Hi.')] });
    const run = await start(stand, team(LEAD));
    must(await stand.client.setLimits({ run, parallel: 5, approvalMinutes: 30 }));
    const { view, events } = await played(stand, run);
    expect(view.limits).toMatchObject({ parallel: 5, approvalMinutes: 30, inbox: 7 });
    expect(ofType(events, 'run.limited')).toMatchObject([
      { before: { parallel: 2 }, after: { parallel: 5, approvalMinutes: 30 } },
    ]);
    expect(await stand.client.setLimits({ run })).toMatchObject({ ok: false, error: { status: 400 } });
    for (const bad of [{ parallel: 0 }, { depth: 99 }, { approvalMinutes: -1 }])
      expect(await stand.client.setLimits({ run, ...bad })).toMatchObject({
        ok: false,
        error: { status: 400 },
      });
  });

  it('says until when an approval waits', async () => {
    const spawn = call('spawn_node', { label: 'x', alias: 'x', roleTemplate: 'planner' });
    stand.script({ ask: [says(spawn)] });
    const nodes = [{ alias: 'ask', role: 'weaver', capabilities: { ...HARMLESS, edgeManagement: 'all' } }];
    const run = await start(stand, team(nodes, { limits: { approvalMinutes: 90 } }));
    await until(stand, run, ({ needs }) => needs.length > 0);
    const { approvals } = must(await stand.client.listApprovals({ run }));
    const [asked] = approvals;
    expect((asked?.expiresAt ?? 0) - (asked?.askedAt ?? 0)).toBe(90 * 60_000);
  });

  it('in money and turns is raised by an event that has the old value too', async () => {
    stand.script({ lead: [says('Hi.')] });
    const run = await start(stand, team(LEAD, { budget: { turns: 3 } }));
    must(await stand.client.raiseBudget({ run, turns: 8 }));
    const { events } = await played(stand, run);
    expect(ofType(events, 'budget.raised')).toMatchObject([{ before: { turns: 3 }, limit: { turns: 8 } }]);
  });
});

it('the list of roles has what each preamble says, and what that allows', async () => {
  const { roles } = must(await stand.client.listRoles({}));
  expect(roles.map(({ name }) => name)).toEqual([...roles.map(({ name }) => name)].sort());
  expect(roles.find(({ name }) => name === 'weaver')).toEqual({
    name: 'weaver',
    source: 'repository',
    version: null,
    capabilities: ['edge_management_all', 'run_commands'],
    constraints: ['no_edits'],
    rights: { edgeManagement: 'all', writeCode: false, writeDocs: false, runCommands: true },
    usable: true,
  });
  expect(roles.find(({ name }) => name === 'investigator')).toMatchObject({
    version: '1',
    constraints: expect.arrayContaining(['read_only']),
    rights: { edgeManagement: 'none', writeCode: false, writeDocs: false, runCommands: false },
  });
});

it('a person keeps a context pack and names it in a message, and the node is told what is in it', async () => {
  stand.script({ lead: [says('Hi.'), says('I see.')] });
  const run = await start(stand, team(LEAD));
  await until(stand, run, ({ quiet }) => quiet);
  const { ref } = must(
    await stand.client.keepPack({ run, goal: 'Know it.', constraints: ['THE CONSTRAINT'] }),
  );
  expect(ref).toMatch(/^contextpack:\/\/sha256:/);
  const none = { run, node: 'lead', text: 'x', contextRef: `contextpack://sha256:${'0'.repeat(64)}` };
  expect(await stand.client.messageNode(none)).toMatchObject({
    ok: false,
    error: { status: 404, code: 'E_ARTIFACT_UNKNOWN' },
  });
  must(await stand.client.messageNode({ run, node: 'lead', text: 'Read this.', contextRef: ref }));
  const view = await until(stand, run, ({ quiet, turns }) => quiet && turns === 2);
  expect(nodeOf(view, 'lead').lastTurn).toBe(2);
  expect(stand.heard('lead').at(-1)?.prompt).toContain('THE CONSTRAINT');
});
