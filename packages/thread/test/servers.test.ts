import { fileURLToPath } from 'node:url';
import { openLiveProject } from '@cuebook/define';
import { memorySource } from '@cuebook/files';
import { createRedactor } from '@cuebook/prompt';
import type { ScriptStep } from '@cuebook/provider';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it, itInSoak, share } from '../../../test/runs.js';
import { threadStatus } from '../src/run/status.js';
import { openServers } from '../src/servers.js';
import { calls, toolNames, toolTexts } from './cases/case.js';
import { desk } from './project.js';
import { openStand, RUN } from './stand.js';

const CHILD = fileURLToPath(new URL('../../provider/test/fixtures/mcp/server.mjs', import.meta.url));
const server = (more = ''): string =>
  `{ command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(CHILD)}, changing], ${more} }`;

/** A desk whose prompt lists tools of servers that the configuration names. */
async function open(tools: string, config: string, steps: readonly ScriptStep[], more = '') {
  const project = desk(`tools: ${tools}, includePastTools: true, includeChat: true, ${more}`);
  const files = Object.entries(project).map(([path, text]) => [`agents/${path}`, text]);
  const source = memorySource({ ...Object.fromEntries(files), 'cuebook.yaml': config });
  if (!source.ok) throw new Error(source.error.code);
  const live = await openLiveProject(source.value, { limits: { fileMs: 60_000 } });
  const servers = await openServers(
    { catalog: live.catalog, files: source.value },
    { env: process.env, cwd: '/', redactor: createRedactor({ roots: [], private: [], names: [] }) },
  );
  if (!servers.ok) throw new Error(servers.error[0]?.message);
  const stand = await openStand(
    project,
    { '*': [...steps, { text: 'Done.' }] },
    { live, servers: servers.value },
  );
  onTestFinished(async () => {
    await stand.close();
    await servers.value.close();
  });
  return { ...stand, servers: servers.value };
}

const SMALL = `servers: { small: ${server()}, unused: { command: no-such-program } }`;

it('a prompt has the tools of a server that it lists, each call on record before it is made', async () => {
  const stand = await open(
    "['mcp.small']",
    SMALL,
    [
      calls('mcp.small.add', { a: 1, b: 2 }),
      calls('mcp.small.echo', { text: 'the key is hunter2-hunter2' }),
      calls('mcp.small.nothing'),
      calls('mcp.small.add', [] as unknown as object),
    ],
    "variables: [{ name: 'KEY', type: 'secret', required: false, description: 'A key' }],",
  );
  expect(stand.servers.problems).toEqual([]);
  await stand.start({ env: { KEY: 'hunter2-hunter2' } });
  expect(toolNames(stand.requests[0])).toEqual(
    ['add', 'hang', 'die', 'large', 'env', 'grow', 'echo'].map((name) => `mcp.small.${name}`),
  );
  expect(stand.requests[0]?.tools[0]?.description).toMatch(/^From the server small, in its words: Adds\. /);
  const [sum, masked, unknown, list] = toolTexts(stand.requests.at(-1));
  expect(sum).toBe('3');
  expect(masked).toBe('the key is [removed:credential]');
  expect(unknown).toMatch(/mcp\.small\.nothing/);
  expect(list).toMatch(/one JSON object/);
  expect(await stand.everything()).not.toContain('hunter2');
  const events = (await stand.store.read(RUN, { limit: 1_000 })) as readonly {
    readonly type: string;
    readonly data: { readonly kind?: string; readonly id?: string };
  }[];
  const begun = events.filter(({ type, data }) => type === 'effect.intended' && data.kind === 'tool.call');
  expect(begun).toHaveLength(2);
  for (const { data } of begun) {
    const told = events.findIndex(({ type, data: of }) => type === 'effect.settled' && of.id === data.id);
    expect(told).toBeGreaterThan(events.findIndex((each) => each.data === data));
  }
});

itInSoak('one tool is one tool, and is not told twice', async () => {
  const stand = await open("['mcp.small.env', 'mcp.small.add', 'mcp.small.add2']", SMALL, []);
  await stand.start();
  expect(toolNames(stand.requests[0])).toEqual(['mcp.small.env', 'mcp.small.add']);
});

const ASKED = [
  [
    'the operator says so of the server',
    "['mcp.small']",
    `servers: { small: ${server('approval: always')} }`,
  ],
  ['the prompt says so of the tool', "[{ name: 'mcp.small', approval: 'always' }]", SMALL],
  [
    'the prompt takes nothing back',
    "[{ name: 'mcp.small', approval: 'never' }]",
    `servers: { small: ${server('approval: always')} }`,
  ],
] as const;

it.each(ASKED.slice(0, share(2, 3)))('a person is asked when %s', async (_when, tools, config) => {
  const stand = await open(tools, config, [calls('mcp.small.add', { a: 1, b: 2 })]);
  const status = threadStatus(await stand.start());
  if (status.kind !== 'waiting' || status.for !== 'approval') throw new Error(JSON.stringify(status));
  expect(status.approvals).toMatchObject([{ tool: 'mcp.small.add', input: { a: 1, b: 2 } }]);
  await stand.threads.answer(RUN, { approval: status.approvals[0]?.id ?? '', decision: 'allow' });
  await stand.threads.drain();
  expect(toolTexts(stand.requests.at(-1))).toEqual(['3']);
});

it('tools that come while a run goes on are there in the next turn, and the record has those of each', async () => {
  const stand = await open("['mcp.small']", SMALL, [calls('mcp.small.grow'), calls('mcp.small.later')]);
  await stand.start();
  expect(stand.requests.map((each) => toolNames(each).includes('mcp.small.later'))).toEqual([
    false,
    true,
    true,
  ]);
  expect(toolTexts(stand.requests.at(-1))).toEqual(['grown', 'late']);
});

it('a server that is away is told of with a code, and the thread goes on without it', async () => {
  const stand = await open(
    "['mcp.gone', 'mcp.small.add']",
    `servers: { gone: { command: no-such-program }, small: ${server()} }`,
    [calls('mcp.gone.x')],
  );
  expect(stand.servers.problems).toEqual([
    expect.stringMatching(
      /^The MCP server "gone" cannot be reached; its tools are not there\. E_MCP_START: /,
    ),
  ]);
  await stand.start();
  expect(toolNames(stand.requests[0])).toEqual(['mcp.small.add']);
  expect(toolTexts(stand.requests.at(-1))).toHaveLength(1);
  expect(threadStatus(await stand.threads.read(RUN))).toMatchObject({ kind: 'done' });
});
