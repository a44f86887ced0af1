import {
  type ApiAnswer,
  COMPARISON_ROUTES,
  FRAGMENT_ROUTES,
  LIBRARY_ROUTES,
  PLATFORM_ROUTES,
  ROUTES,
} from '@cuebook/api';
import { afterAll, beforeAll, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { openApi } from '../src/http/openapi.js';
import type { ApiDocument } from './checked-fetch.js';
import {
  atGate,
  call,
  must,
  nodeOf,
  played,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
} from './server-stand.js';

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand({ git: true, files: { 'a.txt': 'a\n', 'team.yaml': team([{ alias: 'dev' }]) } });
});
// It fails where an answer was not as the document says.
afterAll(() => stand?.remove());

it('every route of a server answers as the OpenAPI document says', async () => {
  const { client } = stand;
  const refused: unknown[] = [];
  const yes = (answer: ApiAnswer<unknown>): void => {
    if (!answer.ok) refused.push(answer.error);
  };
  const spawn = (label: string) => call('spawn_node', { label, roleTemplate: 'planner' });
  stand.script({
    dev: [[{ write: { path: 'new.txt', content: 'new\n' } }, { text: 'Made.' }], says('Again.')],
    lead: [says(spawn('One')), says('Well.')],
    more: [[atGate(stand, 'never')], [atGate(stand, 'never')]],
  });
  const run = await start(
    stand,
    team([
      { alias: 'dev', workspace: 'own' },
      { alias: 'lead', role: 'orchestrator', permissions: { agentManagementRequiresApproval: true } },
    ]),
  );
  const view = await until(stand, run, ({ needs }) => needs.some(({ kind }) => kind === 'approval'));
  yes(await client.getReport({ run }));
  yes(await client.listWaiting({}));
  const [approval] = must(await client.listApprovals({ run })).approvals;
  yes(await client.getApproval({ run, approval: approval?.id ?? '' }));
  yes(await client.resolveApproval({ run, approval: approval?.id ?? '', decision: 'deny' }));
  const { events, turns } = await played(stand, run);
  expect(events.length).toBeGreaterThan(0);
  const of = { run, turn: turns[0]?.turn ?? '' };
  yes(await client.getTurn(of));
  yes(await client.getPackedTurn(of));
  yes(await client.countTurn(of));
  yes(await client.getWire(of));
  yes(await client.proveTurn(of));
  yes(await client.blameTurn({ ...of, ref: 'a.txt', line: 1, words: 'a' }));
  yes(await client.listRecorded({ run }));
  yes(await client.search({ text: 'Made.' }));
  const pack = must(await client.keepPack({ run, goal: 'Know it.', constraints: ['One.'] }));
  yes(await client.getArtifact({ run, hash: /[0-9a-f]{64}/.exec(pack.ref)?.[0] ?? '' }));
  yes(await client.listWorkspaces({ run }));
  yes(await client.applyWork({ run }));
  yes(await client.cleanWork({ run }));
  expect(view.nodes).toHaveLength(2);
  yes(await client.addNode({ run, label: 'More', alias: 'more', role: 'planner', provider: 'cli' }));
  yes(await client.addEdge({ run, from: 'lead', to: 'more' }));
  yes(await client.configureNode({ run, node: 'more', override: 'Be brief.' }));
  yes(await client.resetNode({ run, node: 'more' }));
  yes(await client.setMode({ run, mode: 'AUTO' }));
  yes(await client.setLimits({ run, parallel: 2 }));
  yes(await client.raiseBudget({ run, turns: 500 }));
  yes(await client.pauseRun({ run }));
  yes(await client.resumeRun({ run }));
  yes(await client.messageNode({ run, node: 'lead', text: 'Well?' }));
  yes(await client.say({ run, lane: 'more', text: 'Begin.' }));
  await until(stand, run, (at) => nodeOf(at, 'more').work !== null);
  yes(await client.interruptNode({ run, node: 'more' }));
  await until(stand, run, (at) => nodeOf(at, 'more').hold !== null);
  yes(await client.resumeNode({ run, node: 'more' }));
  yes(await client.interrupt({ run }));
  yes(await client.listRuns({}));
  yes(await client.finishRun({ run, ok: true, summary: 'Done.' }));
  const waits = await start(stand, team([{ alias: 'dev' }]));
  await until(stand, waits, ({ quiet }) => quiet);
  const [wait] = must(await client.listWaiting({ run: waits })).waiting;
  yes(await client.answerWait({ run: waits, wait: wait?.id ?? '', reply: { texts: ['More.'] } }));
  yes(await client.stopRun({ run: waits }));
  yes(await client.health());
  yes(await client.ready());
  yes(await client.listProviders());
  yes(await client.listTeams());
  const [role] = must(await client.listRoles()).roles;
  yes(await client.getRole({ role: role?.name ?? '' }));
  yes(await client.whoAmI());
  yes(await client.getSignIn());
  const { id: token } = must(await client.addPerson({ name: 'ada', role: 'viewer' }));
  yes(await client.setPersonRole({ person: 'ada', role: 'reviewer' }));
  yes(await client.addPersonToken({ person: 'ada' }));
  yes(await client.revokePersonToken({ person: 'ada', token }));
  yes(await client.listPeople());
  yes(await client.removePerson({ person: 'ada' }));
  yes(await client.setQuota({ subject: 'project', limits: { runsPerDay: 1_000 } }));
  yes(await client.listQuotas());
  yes(await client.ownQuota());
  yes(await client.removeQuota({ subject: 'project' }));
  const planned = must(await client.addSchedule({ target: 'team:team.yaml', cron: '0 4 29 2 *' }));
  const schedule = planned.id;
  yes(await client.listSchedules());
  yes(await client.pauseSchedule({ schedule }));
  yes(await client.resumeSchedule({ schedule }));
  yes(await client.removeSchedule({ schedule }));
  yes(await client.getWork());
  const hook = must(await client.addWebhook({ target: 'team:team.yaml' }));
  yes(await client.listWebhooks());
  yes(await client.rotateWebhook({ webhook: hook.id }));
  yes(await client.removeWebhook({ webhook: hook.id }));
  expect(refused).toEqual([]);
  // A doubt needs a server that was killed: `events.test.ts` answers one. Platforms, the library,
  // comparisons and the fragments of a cluster have tests of their own; pushing needs a remote, and draining a worker:
  // the tests of workspaces and `workers.test.ts` have them.
  const theirs = [PLATFORM_ROUTES, LIBRARY_ROUTES, FRAGMENT_ROUTES, COMPARISON_ROUTES].flatMap((each) =>
    Object.keys(each),
  );
  // Signing in needs a provider: `sign-in.test.ts` has one.
  const signIn = ['beginSignIn', 'endSignIn', 'signOut'];
  // Other sources need other files: `updates.test.ts` has them.
  const elsewhere = ['resolveDoubt', 'pushWork', 'drainWorker', 'updateRun', ...signIn, ...theirs];
  expect(
    Object.keys(ROUTES)
      .filter((name) => !stand.answered.has(name))
      .sort(),
  ).toEqual(elsewhere.sort());
});

it('no schema of the document says nothing, but where somebody else defines the words', () => {
  expect(findAnything(openApi([ROUTES]))).toEqual(Object.keys(FREE).sort());
});

/** The members that are any JSON, and who defines what stands there. */
const FREE = {
  after: 'the parameter or the part of a contract that a version changes',
  args: 'the tool that is called',
  before: 'the same',
  changed: 'the tool that a person was asked about',
  content: 'the output contract of a scenario',
  data: 'the event of its type',
  detail: 'the kind of run',
  evidence: 'the kind of hold',
  input: 'the tool that is called',
  inputs: 'the kind of target: a JSON Schema by input',
  meta: 'the sender of a handoff',
  options: 'the kind of run',
  output: 'the effect that is in doubt',
  parameters: 'the tool: a JSON Schema',
  params: 'the provider',
  sample: 'the author of a target',
  structured: 'the sender of a handoff',
};

/** The members of a document's schemas that take any value: those that are empty, and those that are any JSON. */
function findAnything(document: unknown): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, name: string, isSchema: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { readonly $ref?: string };
    const words = Object.keys(value).filter((key) => key !== 'description' && key !== 'default');
    if (isSchema && (words.length === 0 || $ref === '#/components/schemas/Json')) found.add(name);
    for (const [key, each] of Object.entries(value)) {
      if (isSchema && key === 'properties')
        for (const [member, schema] of Object.entries(each as object)) walk(schema, member, true);
      else if (Array.isArray(each)) for (const one of each) walk(one, name, isSchema && key !== 'enum');
      else walk(each, name, key === 'schema' || (isSchema && BELOW.has(key)));
    }
  };
  walk((document as ApiDocument).paths, '', false);
  return [...found].sort();
}

const BELOW = new Set(['items', 'additionalProperties']);
