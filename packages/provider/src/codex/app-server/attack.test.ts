import { describe, expect, it } from 'vitest';
import { listener } from '../../../test/fixture.js';
import { ACTS, NAMES, OUR_TOOL } from '../../../test/forged.js';
import { redactor, requestOf } from '../../../test/play.js';
import { type Fields, fieldsOf } from '../../agent/fields.js';
import { createToolLog } from '../report/tool-log.js';
import { replyTo } from './requests.js';

const ours = (name: string) => (name === OUR_TOOL ? OUR_TOOL : undefined);

/** Codex asks, and whoever is asked says no. */
async function denied(method: string, params: Fields) {
  const { events, emit } = listener();
  const turn = {
    emit,
    input: { request: requestOf('x'), onApproval: async () => ({ decision: 'deny' }) as const },
  };
  const { result } = await replyTo(method, params, {
    turn,
    redactor,
    tools: { inputOf: () => undefined },
    ours,
  });
  return { result, asked: events.length };
}

const METHODS: readonly (readonly [
  method: string,
  params: (word: string, input: Fields) => Fields,
  no: Fields,
])[] = [
  [
    'item/commandExecution/requestApproval',
    (word, input) => ({
      itemId: word,
      command: word,
      reason: word,
      server: 'cuebook',
      tool: OUR_TOOL,
      ...input,
    }),
    { decision: 'decline' },
  ],
  [
    'item/fileChange/requestApproval',
    (word, input) => ({ itemId: word, reason: word, server: 'cuebook', name: word, ...input }),
    { decision: 'decline' },
  ],
  [
    'item/permissions/requestApproval',
    (word, input) => ({ itemId: word, permissions: { [word]: true, ...input }, reason: word }),
    { permissions: {}, scope: 'turn' },
  ],
  [
    'mcpServer/elicitation/request',
    (word, input) => ({ serverName: word, message: word, _meta: { tool: OUR_TOOL, ...input } }),
    { action: 'decline', content: null, _meta: null },
  ],
];

describe.each(METHODS)('%s', (method, params, no) => {
  it('whatever words it holds is asked for, and no is no', async () => {
    for (const word of NAMES) {
      for (const { input } of Object.values(ACTS)) {
        expect([word, await denied(method, params(word, fieldsOf(input)))]).toEqual([
          word,
          { result: no, asked: 1 },
        ]);
      }
    }
  });
});

describe('a tool of a server that is called as ours would be', () => {
  it.each([
    ['is told, where we have none', undefined, 1],
    ['is told by our own server, where that is the one', 'cuebook', 0],
  ])('%s', (_name, ownServer, count) => {
    const { events, emit } = listener();
    const log = createToolLog({ emit, clean: (text) => text, redactor, ours, ownServer });
    log.completed({ id: 'm', type: 'mcpToolCall', server: 'cuebook', tool: OUR_TOOL, status: 'completed' });
    expect(events.filter((event) => (event as { type: string }).type === 'tool.end')).toHaveLength(count);
  });
});

describe('a request of Codex that wants more than it shows first', () => {
  const asked = async (method: string, params: Fields, change?: Fields) => {
    const { events, emit } = listener();
    const turn = {
      emit,
      input: { request: requestOf('x'), onApproval: async () => ({ decision: 'deny' }) as const },
    };
    const tools = createToolLog({
      emit: () => {},
      clean: (text) => text,
      redactor,
      ours,
      ownServer: undefined,
    });
    if (change) tools.started({ type: 'fileChange', id: 'i1', changes: [change] });
    await replyTo(method, params, { turn, redactor, tools, ours, cwd: '/project' });
    return fieldsOf(events[0]);
  };

  it('shows where a changed file is moved to', async () => {
    for (const kind of [
      { type: 'update', move_path: 'src/b.ts' },
      { type: 'update', movePath: 'src/b.ts' },
    ]) {
      const change = { path: 'docs/a.md', kind, diff: '' };
      const request = await asked('item/fileChange/requestApproval', { itemId: 'i1' }, change);
      expect(JSON.stringify(request.input)).toContain('src/b.ts');
    }
  });

  it('shows where a command runs, unless it is the folder of the session', async () => {
    const command = 'rm -rf build';
    const at = async (cwd: unknown) =>
      (await asked('item/commandExecution/requestApproval', { itemId: 'i1', command, cwd } as Fields)).input;
    expect(await at('/project')).toEqual({ command });
    expect(await at(undefined)).toEqual({ command });
    for (const cwd of ['/project/sub', '/elsewhere', '/project/../elsewhere', ['/project'], 7, ''])
      expect([cwd, await at(cwd)]).toMatchObject([cwd, { command, cwd: expect.anything() }]);
  });

  it.each([
    ['item/commandExecution/requestApproval', { command: 'ls', additionalPermissions: { network: true } }],
    ['item/commandExecution/requestApproval', { command: ['ls'] }],
    ['item/commandExecution/requestApproval', { reason: 'to look' }],
    ['item/fileChange/requestApproval', { grantRoot: 'src' }],
  ])('is only claimed, and shown: %s %j', async (method, params) => {
    const request = await asked(method, { itemId: 'i1', ...params }, { path: 'docs/a.md', kind: 'add' });
    expect(request.claimed).toBe(true);
    expect(request.input).toMatchObject(params);
  });
});
