import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TEXTS } from '../shipped-texts.js';
import { usesNativeTools } from './native-tools.js';
import { checkArgs, TOOL_ARGS, type ToolName, toolDefinitions } from './tools.js';

const GOOD: Readonly<Record<ToolName, object>> = {
  command: { cmd: 'npm test', cwd: 'packages/a' },
  read_file: { path: 'a.md' },
  write_file: { path: 'a.md', content: '' },
  list_files: {},
  delete_file: { path: 'a.md' },
  spawn_node: {
    label: 'Docs Agent',
    alias: 'docs-agent',
    roleTemplate: 'planner',
    instructions: 'Summarize docs/.',
    input: { depth: 1, list: [null, true] },
    provider: 'claude',
    capabilities: { edgeManagement: 'self', writeCode: false },
    permissions: { cliPermissionsMode: 'gated' },
    servers: ['notes', 'wiki.edit_page'],
    session: { resume: false },
    customSystemPrompt: 'x',
  },
  create_edge: { from: 'node-a', to: 'docs-agent', type: 'handoff', bidirectional: true, label: 'docs' },
  send_handoff: {
    to: 'docs-agent',
    message: 'Status update',
    structured: {},
    artifacts: [{ type: 'diff', ref: 'artifact://x' }],
    status: { ok: false, reason: 'late' },
    response: { expectation: 'optional', replyTo: 'lead' },
    contextRef: 'contextpack://x',
  },
  read_artifact: { ref: 'artifact://sha256:0', from: 30_000 },
  read_workspace: { node: 'dev', path: 'src/a.ts' },
  keep_context: {
    goal: 'Ship it.',
    done: ['Tests pass.'],
    constraints: ['No new dependency.'],
    docs: [{ path: 'docs/a.md', excerpt: 'x' }],
    files: [{ path: 'src/a.ts', summary: 'y' }],
    facts: ['npm'],
  },
  finish_run: { ok: true, summary: 'done' },
};

it.each(Object.entries(GOOD))('%s takes the arguments of the protocol as they are', (name, args) => {
  expect(checkArgs(name, args as never)).toEqual({ ok: true, value: args });
});

describe('an error names the field', () => {
  it.each<[ToolName, object, RegExp]>([
    ['spawn_node', { label: 5, roleTemplate: 'planner' }, /args\.label/],
    ['spawn_node', { label: 'x' }, /args\.roleTemplate/],
    [
      'spawn_node',
      { label: 'x', role: 'planner', roleTemplate: 'p' },
      /args\.role: no such field, use roleTemplate/,
    ],
    ['spawn_node', { label: 'x', roleTemplate: 'p', alias: 'a b' }, /args\.alias/],
    [
      'spawn_node',
      { label: 'x', roleTemplate: 'p', capabilities: { edgeManagement: 'most' } },
      /args\.capabilities\.edgeManagement/,
    ],
    ['send_handoff', { to: 'a', message: '' }, /args\.message/],
    [
      'send_handoff',
      { to: 'a', message: 'x', response: { expectation: 'maybe' } },
      /args\.response\.expectation/,
    ],
    ['send_handoff', { to: 'a', message: 'x', status: { ok: 'yes' } }, /args\.status\.ok/],
    ['send_handoff', { to: 'a', message: 'x', artifacts: [{ type: 'diff' }] }, /args\.artifacts\.0\.ref/],
    ['send_handoff', { toNodeId: 'a', message: 'x' }, /args\.to.*use to/],
    ['create_edge', { from: 'a', to: 'b', type: 'banana' }, /args\.type/],
    ['finish_run', { ok: 'yes', summary: 'x' }, /args\.ok/],
    ['command', {}, /args\.cmd/],
    ['command', { cmd: 'ls', constructor: 1 }, /^args\.constructor: no such field$/],
    ['command', { cmd: 'ls', toString: 1 }, /^args\.toString: no such field$/],
  ])('%s %j', (name, args, message) => {
    const checked = checkArgs(name, args as never);
    expect(checked).toMatchObject({ ok: false });
    expect(!checked.ok && checked.error).toMatch(message);
  });
});

it('every tool is described with its schema', () => {
  const names = Object.keys(TOOL_ARGS) as ToolName[];
  for (const { name, description, parameters } of toolDefinitions(names)) {
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(description).toBe(TEXTS.text(`tools.md#${name}`));
    const { $schema: _dialect, ...schema } = z.toJSONSchema(TOOL_ARGS[name as ToolName], { io: 'input' });
    expect(parameters).toEqual(schema);
  }
});

it.each<[string, Record<string, string>, boolean]>([
  ['claude', {}, true],
  ['codex', { CUEBOOK_CODEX_NATIVE_TOOLS: 'cuebook' }, true],
  ['gemini', {}, true],
  ['line', {}, false],
  ['my-agent', { CUEBOOK_MY_AGENT_NATIVE_TOOLS: 'provider' }, true],
  ['my-agent', { CUEBOOK_MY_AGENT_NATIVE_TOOLS: 'cuebook' }, false],
])('whose tools %s uses with %j', (provider, environment, expected) => {
  expect(usesNativeTools(provider, environment)).toBe(expected);
});
