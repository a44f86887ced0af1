import { type Client, PLATFORM_ROUTES, ROUTES, type Route } from '@cuebook/api';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { homeBytes } from '../../../test/home-bytes.js';
import { inTurn, itInTurn, SEED, sampled } from '../../../test/runs.js';
import { anyToken } from '../../../test/tokens.js';
import { PROJECT, script, until } from './machines.js';
import { must, type ServerStand, serverStand } from './server-stand.js';
import { textFields, withText } from './text-fields.js';

/** The longest credential that is put anywhere. */
const SAMPLE = 'ghp_Q7kZ2xW9vT4mB8cLr5nHd1sJg6pYa3fE0uVi';
const TOKEN = anyToken.filter(({ length }) => length <= SAMPLE.length);

const once = script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
let count = 0;
const fresh = (): string => {
  count += 1;
  return `cmd_${count}`;
};

async function begin({ client }: ServerStand, target: string): Promise<string> {
  const { run } = must(await client.startRun({ id: fresh(), target, input: 'Begin.', script: once }));
  await until(client, run, ({ status, turns }) => status !== 'running' && turns > 0);
  return run;
}

const runs = new Map<string, string>();
/** A run of this target, the same one for all who only write to it. */
async function runOf(stand: ServerStand, target: string): Promise<string> {
  const run = runs.get(target) ?? (await begin(stand, target));
  runs.set(target, run);
  return run;
}
const team = async (stand: ServerStand) => ({ run: await runOf(stand, 'team:team.yaml') });
const newTeam = async (stand: ServerStand) => ({ run: await begin(stand, 'team:team.yaml') });
const node = async (stand: ServerStand) => ({ ...(await newTeam(stand)), node: 'lead' });
const turn = async (stand: ServerStand) => {
  const at = await team(stand);
  return { ...at, turn: must(await stand.client.listTurns(at)).turns[0]?.turn ?? '' };
};
/** A run in which a node waits for a person. */
const asks = async ({ client }: ServerStand) => {
  const call = { tool_call: { name: 'spawn_node', args: { label: 'One', roleTemplate: 'planner' } } };
  const text = (PROJECT['team.yaml'] ?? '').replace(
    'role: orchestrator',
    'role: orchestrator, permissions: { agentManagementRequiresApproval: true }',
  );
  const once = script({ text: JSON.stringify(call) }, { text: 'Well.' });
  const { run } = must(await client.startRun({ id: fresh(), team: { text }, script: once }));
  await until(client, run, ({ status }) => status === 'waiting');
  const { approvals } = must(await client.listApprovals({ run }));
  return { run, approval: approvals[0]?.id ?? '' };
};
const sheet = (text: string): string => (PROJECT['sheets/once.yaml'] ?? '').replace('Say it', text);
const later = { cron: '0 0 1 1 *', input: 'Begin.', script: once };

type Request = (stand: ServerStand, path: string) => object | Promise<object>;
/** For each route that takes text, a request without the credential, which is answered with a yes. */
const REQUESTS: Readonly<Record<string, Request>> = {
  listRuns: () => ({}),
  startRun: (_stand, path) => {
    if (path === 'team.file') return { team: { file: 'team.yaml' }, script: once };
    if (/^(?:team|goal|limits)/.test(path))
      return { team: { text: PROJECT['team.yaml'] ?? '' }, script: once };
    return { target: 'agent:desk', input: 'Begin.', script: once };
  },
  pauseRun: newTeam,
  resumeRun: async (stand) => {
    const at = await newTeam(stand);
    must(await stand.client.pauseRun(at));
    return at;
  },
  stopRun: newTeam,
  finishRun: async (stand) => ({ ...(await newTeam(stand)), ok: true, summary: 'Done.' }),
  setMode: async (stand) => ({ ...(await newTeam(stand)), mode: 'AUTO' }),
  setLimits: async (stand) => ({ ...(await newTeam(stand)), nodes: 40 }),
  raiseBudget: async (stand) => ({ ...(await newTeam(stand)), tokens: 5_000_000 }),
  answerWait: async (stand, path) => {
    const isReply = /^reply\.(?:message|input)/.test(path);
    const run = isReply ? (await asks(stand)).run : await begin(stand, 'workflow:workflows/hb');
    const { waiting } = must(await stand.client.listWaiting({ run }));
    const input = { label: 'Two', roleTemplate: 'planner' };
    const reply = path.startsWith('reply.input') ? { decision: 'change', input } : { decision: 'deny' };
    return { run, wait: waiting[0]?.id ?? '', reply: isReply ? reply : { texts: ['More.'] } };
  },
  say: async (stand) => ({ run: await begin(stand, 'agent:desk'), text: 'More.' }),
  interrupt: async (stand) => ({ run: await runOf(stand, 'agent:desk') }),
  addNode: async (stand) => ({
    ...(await team(stand)),
    ...{ label: 'New', role: 'implementer', provider: 'rehearsal' },
  }),
  messageNode: async (stand) => ({ ...(await node(stand)), text: 'More.' }),
  resetNode: node,
  configureNode: async (stand) => ({ ...(await node(stand)), override: 'Be brief.' }),
  addEdge: async (stand) => {
    const { run } = await newTeam(stand);
    const other = { run, label: 'Other', alias: 'other', role: 'implementer', provider: 'rehearsal' };
    must(await stand.client.addNode(other));
    return { run, from: 'lead', to: 'other' };
  },
  getApproval: asks,
  resolveApproval: async (stand, path) => {
    const input = { label: 'Two', roleTemplate: 'planner' };
    return {
      ...(await asks(stand)),
      ...(path.startsWith('input') ? { decision: 'change', input } : { decision: 'deny' }),
    };
  },
  listTurns: team,
  keepPack: async (stand) => ({
    ...(await team(stand)),
    goal: 'Know it.',
    docRefs: [{ path: 'a.md', excerpt: 'A.' }],
    relevantFiles: [{ path: 'a.md', summary: 'A.' }],
  }),
  getTurn: turn,
  getPackedTurn: turn,
  countTurn: turn,
  getWire: turn,
  proveTurn: turn,
  blameTurn: async (stand) => ({ ...(await turn(stand)), ref: 'team.yaml', line: 1 }),
  search: () => ({ text: 'Begin.' }),
  applyWork: team,
  cleanWork: team,
  getRole: () => ({ role: 'implementer' }),
  renderTarget: () => ({
    target: 'sheet:once',
    input: {},
    edits: [{ path: 'sheets/once.yaml', text: sheet('Say') }],
  }),
  findReached: () => ({ edits: [{ path: 'sheets/once.yaml', text: sheet('Say') }] }),
  addPerson: () => ({ name: `p${fresh()}`, role: 'viewer' }),
  setPersonRole: async ({ client }) => {
    const person = `p${fresh()}`;
    must(await client.addPerson({ name: person, role: 'viewer' }));
    return { person, role: 'operator' };
  },
  addPersonToken: async ({ client }) => {
    const person = `p${fresh()}`;
    must(await client.addPerson({ name: person, role: 'viewer' }));
    return { person };
  },
  setQuota: () => ({ subject: 'role:viewer', limits: { runsAtOnce: 9 } }),
  addSchedule: () => ({ target: 'agent:desk', ...later }),
  pauseSchedule: async ({ client }) => ({
    schedule: must(await client.addSchedule({ target: 'agent:desk', ...later })).id,
  }),
  resumeSchedule: async ({ client }) => ({
    schedule: must(await client.addSchedule({ target: 'agent:desk', ...later })).id,
  }),
  addWebhook: () => ({ target: 'agent:desk', takes: {}, input: 'Begin.', script: once }),
  rotateWebhook: async ({ client }) => ({
    webhook: must(await client.addWebhook({ target: 'agent:desk', takes: {}, script: once })).id,
  }),
};

/** Why a route that takes text is not asked here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(PLATFORM_ROUTES).map((name) => [name, 'what it stores is in the platform, signed by people']),
  ),
  saveFile: 'it writes the file of the project that was sent, and nothing else',
  previewFragments: 'it needs a cluster, and keeps nothing',
  resolveDoubt: 'it needs a process that died in a turn: `seal` covers what it says like every other word',
  updateRun: 'it needs a repository; the name of the commit is compared, and kept as its hash',
  interruptNode: 'it needs a turn that runs; all that it takes is a name and an id',
  resumeNode: 'it needs a node that is held; all that it takes is a name and an id',
  listAnswers: 'it needs a comparison; its word is compared with the names of cases',
  giveMark: 'it needs a comparison; all that it takes beside an id has a form',
  pushWork: 'it needs a repository; the branch is handed to git',
  drainWorker: 'it needs a worker; all that it takes is an id',
  beginSignIn: 'it needs a provider of identities',
  endSignIn: 'it needs a provider of identities; what it brought back is checked and dropped',
  signOut: 'it needs a session; all that it takes is an id',
};

/** What has a form of its own: the credential stands in the middle of it. */
const DOCUMENTS: Readonly<Record<string, (text: string) => string>> = {
  'team.text': (text) => (PROJECT['team.yaml'] ?? '').replace('Work.', JSON.stringify(text)),
  script: (text) => script({ text, reasoning: text, toolCalls: [{ name: 'look', args: { text } }] }),
  'edits[].text': sheet,
};
/** Fields of what the schema leaves open. */
const OPEN: readonly (readonly [name: string, path: string])[] = [
  ['startRun', 'options.env.TOKEN'],
  ['resolveApproval', 'input.label'],
  ['resolveApproval', 'input.override'],
];

const doors = [
  ...Object.entries<Route>(ROUTES).flatMap(([name, route]) =>
    textFields(route, SAMPLE).map(({ path, max }) => ({ name, path, max })),
  ),
  ...OPEN.map(([name, path]) => ({ name, path, max: 200 })),
];

it('every route that takes text is tried, or says why not', () => {
  const names = [...new Set(doors.map(({ name }) => name))];
  expect(names.filter((name) => !(name in REQUESTS) && !(name in ELSEWHERE))).toEqual([]);
  expect(names.filter((name) => name in REQUESTS && name in ELSEWHERE)).toEqual([]);
  expect(Object.keys(REQUESTS).filter((name) => !names.includes(name))).toEqual([]);
});

it('a credential in any field of a request is in no byte at rest, no answer, no stream and no log', async () => {
  const stand = await serverStand({ files: PROJECT });
  onTestFinished(() => stand.remove());
  runs.clear();
  const { client } = stand;
  const methods = client as unknown as Readonly<Record<string, (input: object) => Promise<Answer>>>;
  const tried = doors.filter(({ name }) => name in REQUESTS);
  const some = inTurn(sampled(tried, 20), 3);
  const tokens = fc.sample(TOKEN, { numRuns: some.length, seed: SEED });
  const heard: string[] = [];
  const put = new Map<string, string>();
  for (const [index, { name, path, max }] of some.entries()) {
    const token = tokens[index] ?? '';
    const isWord = max < token.length + 20 || /(?:^|\.)id$|\{key\}$/.test(path);
    const text = isWord ? token : `with ${token} in it`;
    put.set(token, `${name} ${path}`);
    const base = await baseOf(stand, name, path);
    const asked = withText(base, path, DOCUMENTS[path]?.(text) ?? text);
    heard.push(JSON.stringify(await methods[name]?.(asked)));
  }
  await stand.server.drain();
  heard.push(...(await looked(client)), ...stand.log);
  const all = `${heard.join('\n')}\n${homeBytes(stand.home)}`;
  const leaks = [...put].flatMap(([token, door]) => {
    const at = [token, token.slice(-12)].map((part) => all.indexOf(part)).find((each) => each >= 0);
    return at === undefined ? [] : [`${door}: ${all.slice(Math.max(0, at - 120), at + 60)}`];
  });
  expect(leaks).toEqual([]);
});

it('an error repeats no credential, and the id of a command that is one is kept by its hash', async () => {
  const stand = await serverStand({ files: PROJECT });
  onTestFinished(() => stand.remove());
  const [id = '', other = ''] = fc.sample(TOKEN, { numRuns: 2, seed: SEED });
  const answer = await stand.client.addSchedule({ target: 'agent:desk', ...later, cron: `at ${other}` });
  expect(answer.ok).toBe(false);
  expect(JSON.stringify(answer)).toContain('[removed:credential]');
  expect(JSON.stringify(answer)).not.toContain(other);
  const named = await stand.client.startRun({
    target: 'agent:desk',
    model: other,
    input: 'Begin.',
    script: once,
  });
  expect(named).toMatchObject({ ok: false, error: { code: 'E_RUN_NAME' } });
  const begun = { id, target: 'agent:desk', input: 'Begin.', script: once };
  const { run } = must(await stand.client.startRun(begun));
  expect(must(await stand.client.startRun(begun)).run).toBe(run);
  const [second = ''] = fc.sample(TOKEN, { numRuns: 1, seed: SEED + 1 });
  must(await stand.client.setLimits({ ...(await newTeam(stand)), id: second, nodes: 40 }));
  await stand.server.drain();
  const kept = homeBytes(stand.home);
  expect([id, second].filter((each) => kept.includes(each))).toEqual([]);
});

itInTurn('but for the credential, each of these requests is answered with a yes', async () => {
  const stand = await serverStand({ files: PROJECT });
  onTestFinished(() => stand.remove());
  runs.clear();
  const methods = stand.client as unknown as Readonly<Record<string, (input: object) => Promise<Answer>>>;
  const paths = doors
    .filter(({ name }) => name in REQUESTS)
    .map(({ name, path }) => [name, /^(?:team|goal|reply\.input|input)/.exec(path)?.[0] ?? ''] as const);
  const refused: string[] = [];
  const each = [...new Map(paths.map((path) => [path.join(' '), path])).values()];
  for (const [name, path] of inTurn(sampled(each, 10), 3)) {
    const answer = await methods[name]?.(await baseOf(stand, name, path));
    if (answer?.ok !== true) refused.push(`${name} ${path}: ${JSON.stringify(answer)}`);
  }
  expect(refused).toEqual([]);
});

/** The request without the credential, with an id where the route takes one. */
const baseOf = async (stand: ServerStand, name: string, path: string): Promise<object> => ({
  ...(doors.some((door) => door.name === name && door.path === 'id') && { id: fresh() }),
  ...(await REQUESTS[name]?.(stand, path)),
});

type Answer = { readonly ok: boolean };

/** Every way to look at what there is. */
async function looked(client: Client): Promise<readonly string[]> {
  const list = must(await client.listRuns({ limit: 100 }));
  const answers: unknown[] = [list, await client.listWaiting({}), await client.listApprovals({})];
  answers.push(await client.listSchedules({}), await client.listWebhooks({}), await client.listPeople({}));
  for (const { run } of list.runs) {
    answers.push(await client.getRun({ run }), await client.getReport({ run }));
    answers.push(await client.listEvents({ run, limit: 1_000 }), await client.listRecorded({ run }));
    const turns = await client.listTurns({ run, limit: 100 });
    answers.push(turns);
    for (const { turn } of turns.ok ? turns.value.turns : [])
      answers.push(await client.getTurn({ run, turn }), await client.getWire({ run, turn }));
  }
  return answers.map((answer) => JSON.stringify(answer));
}

/** Files of a project that are wrong in one place, and a credential stands there. */
const brokenWith = (token: string): Readonly<Record<string, string>> => ({
  'sheets/key.yaml': `title: One\n${token}: 1\n`,
  'sheets/inner.yaml': `title: One\ninputs: { ${token}: { ${token}: 1 } }\n`,
  'sheets/open.yaml': `title: [${token}\n`,
  'sheets/alias.yaml': `title: *${token}\n`,
  'sheets/value.yaml': `title: One\nblocks:\n  - { role: ${token}, parts: [] }\n`,
  'sheets/include.yaml': `title: One\nblocks:\n  - { role: system, parts: [{ include: ${token} }] }\n`,
  [`sheets/${token}.yaml`]: 'title: [\n',
  [`texts/${token}.yaml`]: 'parts: [\n',
  'roles/planner.md': `---\n${token}: 1\n---\nPlan.\n`,
});

it('a problem of a file of the project holds no credential that stands in it or in its name, and not where it lies', async () => {
  const [token = ''] = fc.sample(TOKEN, { numRuns: 1, seed: SEED });
  const stand = await serverStand({ files: { ...PROJECT, ...brokenWith(token) } });
  onTestFinished(() => stand.remove());
  const { client } = stand;
  const listed = must(await client.listLibrary({}));
  const problems: unknown[] = [listed];
  for (const { target } of listed.targets) {
    const rendered = await client.renderTarget({ target, input: {} });
    problems.push(rendered.ok ? rendered.value.diagnostics : rendered.error);
    const source = await client.getSource({ target });
    problems.push(source.ok ? source.value.diagnostics : source.error);
  }
  problems.push(await client.getRole({ role: 'planner' }), stand.log);
  const text = JSON.stringify(problems);
  expect(text.split('[removed:credential]').length).toBeGreaterThan(6);
  expect(text).not.toContain(token);
  expect(text).not.toContain(token.slice(-12));
  expect(text).not.toContain(stand.root);
});

it('no list of names that come from files holds a credential', async () => {
  const [token = ''] = fc.sample(TOKEN, { numRuns: 1, seed: SEED });
  const stand = await serverStand({
    files: {
      ...PROJECT,
      [`sheets/${token}.yaml`]: 'blocks: [{ name: b, role: user, parts: [{ include: shared }] }]\n',
      'texts/shared.md': 'Be plain.\n',
      [`teams/${token}.yaml`]: 'goal: Write.\nnodes: [{ alias: dev, role: implementer }]\n',
      [`docs/templates/${token}.md`]: 'Plan.\n',
    },
  });
  onTestFinished(() => stand.remove());
  const { client } = stand;
  const edits = [{ path: 'texts/shared.md', text: 'Be kind.\n' }];
  const lists = {
    library: must(await client.listLibrary({})).targets,
    teams: must(await client.listTeams({})),
    roles: must(await client.listRoles({})),
    reached: must(await client.findReached({ edits })),
  };
  for (const [list, told] of Object.entries(lists)) {
    const text = JSON.stringify(told);
    expect([list, text.includes('[removed:credential]')]).toEqual([list, true]);
    expect([list, text.includes(token), text.includes(token.slice(-12))]).toEqual([list, false, false]);
  }
  expect(JSON.stringify(must(await client.listProviders({})))).not.toContain('removed');
});
