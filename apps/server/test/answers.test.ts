import { PLATFORM_ROUTES, ROUTES } from '@cuebook/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi } from '../src/http/openapi.js';
import type { ApiDocument } from './checked-fetch.js';
import {
  call,
  must,
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
  const spawn = (label: string) => call('spawn_node', { label, roleTemplate: 'planner' });
  stand.script({
    dev: [[{ write: { path: 'new.txt', content: 'new\n' } }, { text: 'Made.' }], says('Again.')],
    lead: [says(spawn('One')), says('Well.')],
  });
  const run = await start(
    stand,
    team([
      { alias: 'dev', workspace: 'own' },
      { alias: 'lead', role: 'planner' },
    ]),
  );
  for (const node of ['dev', 'lead']) must(await client.messageNode({ run, node, text: 'Go.' }));
  const view = await until(
    stand,
    run,
    ({ needs, quiet }) => quiet && needs.some(({ kind }) => kind === 'approval'),
  );
  must(await client.getReport({ run }));
  must(await client.listWaiting({}));
  const [approval] = must(await client.listApprovals({ run })).approvals;
  must(await client.getApproval({ run, approval: approval?.id ?? '' }));
  must(await client.resolveApproval({ run, approval: approval?.id ?? '', decision: 'deny' }));
  const { events, turns } = await played(stand, run);
  expect(events.length).toBeGreaterThan(0);
  must(await client.getTurn({ run, turn: turns[0]?.turn ?? '' }));
  const { artifact } = must(await client.getRun({ run })).nodes.find(({ diff }) => diff)?.diff ?? {};
  must(await client.getArtifact({ run, hash: artifact ?? '' }));
  must(await client.keepPack({ run, goal: 'Know it.', constraints: ['One.'] }));
  must(await client.listWorkspaces({ run }));
  must(await client.applyWork({ run }));
  must(await client.cleanWork({ run }));
  expect(view.nodes).toHaveLength(2);
  must(await client.addNode({ run, label: 'More', alias: 'more', role: 'planner', provider: 'cli' }));
  must(await client.addEdge({ run, from: 'lead', to: 'more' }));
  must(await client.configureNode({ run, node: 'more', override: 'Be brief.' }));
  must(await client.resetNode({ run, node: 'more' }));
  must(await client.setMode({ run, mode: 'AUTO' }));
  must(await client.setLimits({ run, parallel: 2 }));
  must(await client.raiseBudget({ run, turns: 500 }));
  must(await client.pauseRun({ run }));
  must(await client.resumeRun({ run }));
  must(await client.say({ run, lane: 'more', text: 'Begin.' }));
  must(await client.interruptNode({ run, node: 'more' }));
  must(await client.resumeNode({ run, node: 'more' }));
  must(await client.interrupt({ run }));
  must(await client.listRuns({}));
  must(await client.finishRun({ run, ok: true, summary: 'Done.' }));
  const waits = await start(stand, team([{ alias: 'dev' }]));
  await until(stand, waits, ({ quiet }) => quiet);
  const [wait] = must(await client.listWaiting({ run: waits })).waiting;
  must(await client.answerWait({ run: waits, wait: wait?.id ?? '', reply: { texts: ['More.'] } }));
  must(await client.stopRun({ run: waits }));
  must(await client.health());
  must(await client.listProviders());
  must(await client.listTeams());
  const [role] = must(await client.listRoles()).roles;
  must(await client.getRole({ role: role?.name ?? '' }));
  // A doubt needs a server that was killed: `events.test.ts` answers one. Platforms have a test of their own.
  const elsewhere = ['resolveDoubt', ...Object.keys(PLATFORM_ROUTES)];
  expect(
    Object.keys(ROUTES)
      .filter((name) => !stand.answered.has(name))
      .sort(),
  ).toEqual(elsewhere.sort());
});

it('no schema of the document says nothing', () => {
  const document = openApi([ROUTES]) as ApiDocument;
  expect(findAnything(document)).toEqual(FREE);
});

/**
 * Where a request or an answer holds what somebody else defines: the input of a tool, the data of an event, the options
 * of a kind of run, the words of an agent's own JSON.
 */
const FREE: readonly string[] = [];

/** Where schemas of a document take any value: those that are empty, and those that are any JSON. */
function findAnything(document: ApiDocument): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, path: readonly string[], isSchema: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const keys = Object.keys(value).filter((key) => key !== 'description');
    const isAny = isSchema && (keys.length === 0 || (value as { $ref?: string }).$ref === JSON_REF);
    if (isAny) found.add(path.filter((part) => !NOISE.has(part)).join(' '));
    for (const [key, each] of Object.entries(value)) {
      const holds = HOLDERS.has(path.at(-1) ?? '') && isSchema;
      walk(each, [...path, key], key === 'schema' || holds || (isSchema && PARTS.has(key)));
    }
  };
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) walk(operation, [operation.operationId], false);
  return [...found].sort();
}

const JSON_REF = '#/components/schemas/Json';
const HOLDERS = new Set(['properties', 'anyOf', 'oneOf', 'allOf']);
const PARTS = new Set(['properties', 'anyOf', 'oneOf', 'allOf', 'items', 'additionalProperties']);
const NOISE = new Set(['content', 'application/json', 'schema', 'properties', 'anyOf', 'oneOf', 'items']);
