import { posix } from 'node:path';
import type { JsonValue } from '@cuebook/prompt';
import { lexicalPath } from '@cuebook/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { LEAD, nodeWith, WORKER } from '../../test/rights.js';
import type { TeamNode } from '../graph/node.js';
import { type AuthorizeContext, authorize } from './authorize.js';
import type { GlobalMode } from './global-mode.js';

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

describe('spawning', () => {
  it.each<[string, TeamNode, Partial<AuthorizeContext>, RegExp]>([
    ['an orchestrator', LEAD, {}, /^allow$/],
    [
      'an orchestrator whose policy asks',
      nodeWith(
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
      nodeWith('implementer', { edgeManagement: 'self' }),
      {},
      /edgeManagement=all.*edgeManagement=self/,
    ],
    ['a worker with all', nodeWith('implementer', { edgeManagement: 'all' }), {}, /^ask$/],
    [
      'a worker with all whose stored flag says no approval',
      nodeWith(
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
    ['self, itself by alias', nodeWith('x', { edgeManagement: 'self' }), { from: 'ME', to: 'b' }, /^ask$/],
    ['self, itself by id', nodeWith('x', { edgeManagement: 'self' }), { from: 'b', to: 'node_me' }, /^ask$/],
    [
      'self, others',
      nodeWith('x', { edgeManagement: 'self' }),
      { from: 'b', to: 'c' },
      /one end of the edge/,
    ],
    ['all, others', LEAD, { from: 'b', to: 'c' }, /^allow$/],
    ['all, not leading', nodeWith('x', { edgeManagement: 'all' }), { from: 'b', to: 'c' }, /^ask$/],
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
      nodeWith('x', { writeDocs: false }),
      'write_file',
      DOCS,
      'IMPLEMENTATION',
      /writeDocs=false/,
    ],
    [
      'writeCode=false',
      nodeWith('x', { writeCode: false }),
      'delete_file',
      CODE,
      'IMPLEMENTATION',
      /writeCode=false/,
    ],
    [
      'runCommands=false',
      nodeWith('x', { runCommands: false }),
      'command',
      { cmd: 'ls' },
      'IMPLEMENTATION',
      /runCommands=false/,
    ],
    [
      'delegateOnly, a document',
      nodeWith('x', { delegateOnly: true }),
      'write_file',
      DOCS,
      'IMPLEMENTATION',
      /delegateOnly/,
    ],
    [
      'delegateOnly, a command',
      nodeWith('x', { delegateOnly: true }),
      'command',
      { cmd: 'ls' },
      'IMPLEMENTATION',
      /delegateOnly/,
    ],
    [
      'delegateOnly, a handoff',
      nodeWith('x', { delegateOnly: true }),
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
    const gated = nodeWith(
      'x',
      {},
      { permissions: { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } },
    );
    expect(judge(gated, 'write_file', CODE)).toBe('ask');
    expect(judge(gated, 'write_file', CODE, { globalMode: 'PLANNING' })).toMatch(/restricted/);
  });

  it('only the orchestrator that nobody spawned finishes', () => {
    expect(judge(LEAD, 'finish_run')).toBe('allow');
    expect(judge(WORKER, 'finish_run')).toMatch(/only the orchestrator/);
    expect(judge({ ...LEAD, depth: 1, parent: 'node_b' }, 'finish_run')).toMatch(/no other node spawned/);
  });

  it('only who leads or reviews reads the folder of another node', () => {
    const input = { node: 'b', path: 'src/a.ts' };
    expect(judge(LEAD, 'read_workspace', input)).toBe('allow');
    expect(judge(WORKER, 'read_workspace', input)).toMatch(/review_diffs/);
    expect(judge(WORKER, 'read_workspace', input, { reviews: true })).toBe('allow');
    expect(judge(LEAD, 'read_workspace', { node: 'ghost' })).toMatch(/no node "ghost"/);
    expect(judge(LEAD, 'read_workspace', { node: 'b', path: '../x' })).toMatch(/out of the workspace/);
  });
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
        const resolved = posix.resolve('/w/x', path);
        expect(resolved).toMatch(/^\/w\/x\/docs\/./);
        expect(lexicalPath(path)).toMatchObject({ kind: 'docs' });
      },
    ),
    runs(1_000, 100_000),
  );
});
