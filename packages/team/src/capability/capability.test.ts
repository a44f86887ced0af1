import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { TeamNode } from '../graph/node.js';
import { accessOf, changedOutside, mountAccess } from './access.js';
import { type AuthorizeContext, authorize, type GlobalMode } from './authorize.js';
import { childRights, isWithinScope, type Rights, resolveRights } from './capabilities.js';
import { nativeKind, permitNative } from './native.js';
import { lexicalPath } from './path.js';

const node = (
  role: string,
  given: Partial<TeamNode['capabilities']> = {},
  more: Partial<TeamNode> = {},
): TeamNode => ({
  id: 'node_me',
  label: 'Me',
  alias: 'me',
  role,
  provider: 'line',
  resume: true,
  workspace: 'own',
  depth: 0,
  ...resolveRights({ role, capabilities: given }),
  ...more,
});
const context = (given: Partial<AuthorizeContext> = {}): AuthorizeContext => ({
  globalMode: 'IMPLEMENTATION',
  nativeTools: false,
  scope: 'all',
  nodes: [
    { id: 'node_me', alias: 'me' },
    { id: 'node_b', alias: 'b' },
  ],
  limits: { nodes: 10, depth: 3 },
  ...given,
});
const judge = (who: TeamNode, name: string, input: JsonValue = {}, given: Partial<AuthorizeContext> = {}) => {
  const permit = authorize(who, { name, input }, context(given));
  return permit.kind === 'deny' ? permit.reason : permit.kind;
};
const LEAD = node('orchestrator');
const WORKER = node('implementer');

describe('spawning', () => {
  it.each<[string, TeamNode, Partial<AuthorizeContext>, RegExp]>([
    ['an orchestrator', LEAD, {}, /^allow$/],
    [
      'an orchestrator whose policy asks',
      node(
        'orchestrator',
        {},
        { permissions: { cliPermissionsMode: 'skip', agentManagementRequiresApproval: true } },
      ),
      {},
      /^ask$/,
    ],
    ['a worker', WORKER, {}, /edgeManagement=all/],
    [
      'a worker with self',
      node('implementer', { edgeManagement: 'self' }),
      {},
      /edgeManagement=all.*edgeManagement=self/,
    ],
    ['a worker with all', node('implementer', { edgeManagement: 'all' }), {}, /^ask$/],
    [
      'a worker with all whose stored flag says no approval',
      node(
        'implementer',
        { edgeManagement: 'all' },
        { permissions: { cliPermissionsMode: 'skip', agentManagementRequiresApproval: false } },
      ),
      {},
      /^ask$/,
    ],
    ['a template without scope', LEAD, { scope: 'none' }, /does not declare edge_management_all/],
    ['a template with scope self', LEAD, { scope: 'self' }, /does not declare edge_management_all/],
    ['a full graph', LEAD, { limits: { nodes: 2, depth: 3 } }, /2 nodes, which is its limit/],
    ['a node too deep', { ...LEAD, depth: 3 }, {}, /3 deep/],
  ])('%s', (_name, who, given, expected) => {
    expect(judge(who, 'spawn_node', {}, given)).toMatch(expected);
  });
});

describe('edges', () => {
  it.each<[string, TeamNode, JsonValue, RegExp]>([
    ['none', WORKER, { from: 'me', to: 'b' }, /edgeManagement=none/],
    ['self, itself by alias', node('x', { edgeManagement: 'self' }), { from: 'ME', to: 'b' }, /^ask$/],
    ['self, itself by id', node('x', { edgeManagement: 'self' }), { from: 'b', to: 'node_me' }, /^ask$/],
    ['self, others', node('x', { edgeManagement: 'self' }), { from: 'b', to: 'c' }, /one end of the edge/],
    ['all, others', LEAD, { from: 'b', to: 'c' }, /^allow$/],
    ['all, not leading', node('x', { edgeManagement: 'all' }), { from: 'b', to: 'c' }, /^ask$/],
  ])('%s', (_name, who, input, expected) => {
    expect(judge(who, 'create_edge', input)).toMatch(expected);
  });
});

describe('files and commands', () => {
  const CODE = { path: 'src/a.ts', content: 'x' };
  const DOCS = { path: 'docs/a.md', content: 'x' };
  it.each<[string, TeamNode, string, JsonValue, GlobalMode, RegExp]>([
    ['code in IMPLEMENTATION', WORKER, 'write_file', CODE, 'IMPLEMENTATION', /^allow$/],
    ['code in PLANNING', WORKER, 'write_file', CODE, 'PLANNING', /restricted to docs/],
    ['a document in PLANNING', WORKER, 'write_file', DOCS, 'PLANNING', /^allow$/],
    [
      'out of docs and back',
      WORKER,
      'write_file',
      { path: 'docs/../src/a.ts' },
      'PLANNING',
      /restricted to docs/,
    ],
    ['the docs folder itself', WORKER, 'delete_file', { path: 'docs' }, 'PLANNING', /restricted to docs/],
    ['a folder beside docs', WORKER, 'write_file', { path: 'docs2/a.md' }, 'PLANNING', /restricted to docs/],
    [
      'a command in PLANNING',
      WORKER,
      'command',
      { cmd: 'echo > src/a.ts' },
      'PLANNING',
      /PLANNING runs none/,
    ],
    ['a command', WORKER, 'command', { cmd: 'ls' }, 'IMPLEMENTATION', /^allow$/],
    [
      'a command elsewhere',
      WORKER,
      'command',
      { cmd: 'ls', cwd: '/etc' },
      'IMPLEMENTATION',
      /out of the workspace/,
    ],
    ['reading in PLANNING', WORKER, 'read_file', { path: 'src/a.ts' }, 'PLANNING', /^allow$/],
    ['reading elsewhere', WORKER, 'read_file', { path: '../x' }, 'IMPLEMENTATION', /out of the workspace/],
    [
      'an absolute path',
      WORKER,
      'write_file',
      { path: '/etc/passwd' },
      'IMPLEMENTATION',
      /out of the workspace/,
    ],
    ['hooks of git', WORKER, 'write_file', { path: '.git/hooks/x' }, 'IMPLEMENTATION', /\.git/],
    [
      'writeDocs=false',
      node('x', { writeDocs: false }),
      'write_file',
      DOCS,
      'IMPLEMENTATION',
      /writeDocs=false/,
    ],
    [
      'writeCode=false',
      node('x', { writeCode: false }),
      'delete_file',
      CODE,
      'IMPLEMENTATION',
      /writeCode=false/,
    ],
    [
      'runCommands=false',
      node('x', { runCommands: false }),
      'command',
      { cmd: 'ls' },
      'IMPLEMENTATION',
      /runCommands=false/,
    ],
    [
      'delegateOnly, a document',
      node('x', { delegateOnly: true }),
      'write_file',
      DOCS,
      'IMPLEMENTATION',
      /delegateOnly/,
    ],
    [
      'delegateOnly, a command',
      node('x', { delegateOnly: true }),
      'command',
      { cmd: 'ls' },
      'IMPLEMENTATION',
      /delegateOnly/,
    ],
    [
      'delegateOnly, a handoff',
      node('x', { delegateOnly: true }),
      'send_handoff',
      { to: 'b' },
      'IMPLEMENTATION',
      /^allow$/,
    ],
  ])('%s', (_name, who, tool, input, globalMode, expected) => {
    expect(judge(who, tool, input, { globalMode })).toMatch(expected);
  });

  it('what the disk says of a link counts more than its name', () => {
    const path = { kind: 'outside' } as const;
    expect(judge(WORKER, 'write_file', { path: 'docs/link' }, { globalMode: 'PLANNING', path })).toMatch(
      /out of/,
    );
    const code = { kind: 'code', path: 'src/a.ts' } as const;
    expect(judge(WORKER, 'write_file', DOCS, { globalMode: 'PLANNING', path: code })).toMatch(/restricted/);
  });

  it('a provider with tools of its own is told to use them, and the graph stays open', () => {
    for (const tool of ['command', 'read_file', 'write_file', 'list_files', 'delete_file'])
      expect(judge(WORKER, tool, { path: 'docs/a', cmd: 'x' }, { nativeTools: true })).toMatch(
        /native tools/,
      );
    expect(judge(LEAD, 'spawn_node', {}, { nativeTools: true })).toBe('allow');
  });

  it('a gated node asks before every act that it may do', () => {
    const gated = node(
      'x',
      {},
      { permissions: { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } },
    );
    expect(judge(gated, 'write_file', CODE)).toBe('ask');
    expect(judge(gated, 'write_file', CODE, { globalMode: 'PLANNING' })).toMatch(/restricted/);
  });

  it('only the orchestrator finishes', () => {
    expect(judge(LEAD, 'finish_run')).toBe('allow');
    expect(judge(WORKER, 'finish_run')).toMatch(/only the orchestrator/);
  });
});

describe('an agent that asks before it acts', () => {
  it.each<[string, JsonValue, GlobalMode, string]>([
    ['Read', { file_path: 'src/a.ts' }, 'PLANNING', 'allow'],
    ['Write', { file_path: 'src/a.ts' }, 'PLANNING', 'deny'],
    ['Write', { file_path: 'docs/a.md' }, 'PLANNING', 'allow'],
    ['MultiEdit', { file_path: 'docs/../a.md' }, 'PLANNING', 'deny'],
    ['Write', {}, 'PLANNING', 'deny'],
    ['Bash', { command: 'ls' }, 'PLANNING', 'deny'],
    ['Bash', { command: 'ls' }, 'IMPLEMENTATION', 'allow'],
    ['apply_patch', { changes: { 'docs/a.md': 1, 'src/b.ts': 1 } }, 'PLANNING', 'deny'],
    ['run_shell_command', {}, 'PLANNING', 'deny'],
    ['mcp__weather__get', {}, 'IMPLEMENTATION', 'ask'],
  ])('%s %j in %s: %s', (tool, input, globalMode, kind) => {
    expect(permitNative(WORKER, { tool, input }, { globalMode }).kind).toBe(kind);
  });
  it('in words that it wrote itself is asked about whatever the rules would allow, and denied what they forbid', () => {
    const tools = [
      'Read',
      'read',
      'think',
      'Write',
      'edit',
      'Bash',
      'execute',
      'mcp__cuebook__spawn_node',
      '',
    ];
    for (const globalMode of ['PLANNING', 'IMPLEMENTATION'] as const)
      for (const tool of tools)
        for (const input of [{}, { file_path: 'docs/a.md' }, { command: 'ls', path: 'src/a.ts' }]) {
          const known = permitNative(WORKER, { tool, input }, { globalMode }).kind;
          const claimed = permitNative(WORKER, { tool, input }, { globalMode, claimed: true }).kind;
          expect([tool, claimed]).toEqual([tool, known === 'deny' ? 'deny' : 'ask']);
        }
  });
  it('is asked about each act, reading too, where a person is to be asked', () => {
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    const gated = node('x', {}, { permissions });
    for (const tool of ['Read', 'Write', 'Bash', 'Task'])
      expect(
        permitNative(gated, { tool, input: { path: 'docs/a' } }, { globalMode: 'IMPLEMENTATION' }).kind,
      ).toBe('ask');
  });
  it('a file that is withheld is denied to every tool, whoever asks', () => {
    const paths = [{ kind: 'code', path: 'a' } as const, { kind: 'outside', withheld: true } as const];
    for (const tool of ['Read', 'Grep', 'Write', 'Bash', 'mcp__x__y'])
      expect([
        tool,
        permitNative(WORKER, { tool, input: {} }, { globalMode: 'IMPLEMENTATION', paths }).kind,
      ]).toEqual([tool, 'deny']);
  });
  it('names are known however they are written', () => {
    expect(['Bash', 'run_shell_command', 'exec-command'].map(nativeKind)).toEqual([
      'command',
      'command',
      'command',
    ]);
  });
});

describe('the flags of a provider', () => {
  const ASKS = { approves: true };
  it.each<[string, Partial<TeamNode['capabilities']>, GlobalMode, boolean, object]>([
    ['everything', {}, 'IMPLEMENTATION', true, { access: 'full', ask: false }],
    ['no commands', { runCommands: false }, 'IMPLEMENTATION', true, { access: 'edit', ask: false }],
    [
      'documents alone',
      { writeCode: false, runCommands: false },
      'IMPLEMENTATION',
      true,
      { access: 'edit', ask: true },
    ],
    [
      'documents alone, no asking',
      { writeCode: false, runCommands: false },
      'IMPLEMENTATION',
      false,
      { access: 'plan', ask: false },
    ],
    ['PLANNING', {}, 'PLANNING', true, { access: 'edit', ask: true }],
    ['PLANNING, no asking', {}, 'PLANNING', false, { access: 'plan', ask: false }],
    ['PLANNING without documents', { writeDocs: false }, 'PLANNING', true, { access: 'plan', ask: false }],
    ['delegateOnly', { delegateOnly: true }, 'IMPLEMENTATION', true, { access: 'plan', ask: false }],
  ])('%s', (_name, given, globalMode, approves, expected) => {
    expect(accessOf(node('x', given), globalMode, { approves })).toEqual(expected);
  });
  it('a gated node is asked about', () => {
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    expect(accessOf({ ...WORKER, permissions }, 'IMPLEMENTATION', ASKS)).toEqual({
      access: 'full',
      ask: true,
    });
  });
  it('its own file tools open no more', () => {
    expect(mountAccess(WORKER, 'PLANNING')).toEqual({ docs: 'rw', code: 'ro' });
    expect(mountAccess(node('x', { writeDocs: false }), 'IMPLEMENTATION')).toEqual({
      docs: 'ro',
      code: 'rw',
    });
  });
  it('what was changed against the rules is found, however it was done', () => {
    const files = ['docs/a.md', 'src/a.ts', '../x'];
    expect(changedOutside(WORKER, 'PLANNING', files)).toEqual(['src/a.ts', '../x']);
    expect(changedOutside(WORKER, 'IMPLEMENTATION', files)).toEqual(['../x']);
  });
});

describe('for all', () => {
  const someRights = fc.record({
    role: fc.constantFrom('orchestrator', 'Orchestrator ', 'implementer'),
    capabilities: fc.record(
      {
        edgeManagement: fc.constantFrom('none', 'self', 'all'),
        writeCode: fc.boolean(),
        writeDocs: fc.boolean(),
        runCommands: fc.boolean(),
        delegateOnly: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    permissions: fc.record(
      { cliPermissionsMode: fc.constantFrom('skip', 'gated'), agentManagementRequiresApproval: fc.boolean() },
      { requiredKeys: [] },
    ),
  }) as fc.Arbitrary<Parameters<typeof resolveRights>[0]>;
  const exceeds = (child: Rights, parent: Rights): boolean =>
    (child.orchestrator && !parent.orchestrator) ||
    !isWithinScope(child.capabilities.edgeManagement, parent.capabilities.edgeManagement) ||
    (['writeCode', 'writeDocs', 'runCommands'] as const).some(
      (key) => child.capabilities[key] && !parent.capabilities[key],
    ) ||
    (parent.capabilities.delegateOnly && !child.capabilities.delegateOnly) ||
    (parent.permissions.cliPermissionsMode === 'gated' && child.permissions.cliPermissionsMode === 'skip') ||
    (parent.permissions.agentManagementRequiresApproval &&
      !child.permissions.agentManagementRequiresApproval);

  it('a child never has more rights than its parent, at any depth', () => {
    fc.assert(
      fc.property(fc.array(someRights, { minLength: 2, maxLength: 6 }), ([first, ...line]) => {
        let parent = resolveRights(first as Parameters<typeof resolveRights>[0]);
        for (const wanted of line) {
          const child = childRights(wanted, parent);
          expect(exceeds(child, parent)).toBe(false);
          parent = child;
        }
      }),
      runs(500, 50_000),
    );
  });

  it('no path that PLANNING lets through lies outside of docs', () => {
    const somePart = fc.constantFrom(
      'docs',
      'src',
      '..',
      '.',
      '',
      'a.md',
      '.git',
      'DOCS',
      '~',
      '@x',
      '\\',
      'c:',
    );
    fc.assert(
      fc.property(
        fc.array(somePart, { maxLength: 6 }).map((parts) => parts.join('/')),
        (path) => {
          if (judge(WORKER, 'write_file', { path }, { globalMode: 'PLANNING' }) !== 'allow') return;
          const resolved = new URL(path, 'file:///w/x/').pathname;
          expect(resolved).toMatch(/^\/w\/x\/docs\/./);
          expect(lexicalPath(path)).toMatchObject({ kind: 'docs' });
        },
      ),
      runs(1_000, 100_000),
    );
  });
});
