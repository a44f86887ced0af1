import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { itInSoak, itInTurn } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';
import { PROJECT } from '../../../test/mcp.js';

const CHILD = fileURLToPath(
  new URL('../../../../../packages/provider/test/fixtures/mcp/server.mjs', import.meta.url),
);
const SMALL = { command: process.execPath, args: [CHILD] };

const project = (tools: string, servers: object) =>
  folderWith({
    ...PROJECT,
    'agents/prompts/librarian.ts': (PROJECT['agents/prompts/librarian.ts'] ?? '').replace(
      "model: 'everyday',",
      `model: 'everyday', tools: ${tools},`,
    ),
    'agents/agents/counter.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'counter', sideA: { prompt: 'librarian' } });
`,
    'cuebook.yaml': JSON.stringify({ servers }),
    'adds.yaml':
      'lanes: { "*": [{ toolCalls: [{ name: mcp.small.add, args: { a: 1, b: 2 } }] }, { text: Three. }] }',
  });

itInTurn(
  'an agent is checked, rendered and run with the tools of an MCP server, and each says whose they are',
  async () => {
    const cwd = project("['mcp.small']", { small: SMALL, gone: { command: 'no-such-program' } });
    const checked = await cuebook(['check', 'agent:counter', '--json'], { cwd });
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true });
    const rendered = await cuebook(['render', 'agent:counter', '--input', 'Hi', '--json'], { cwd });
    const { tools, diagnostics } = JSON.parse(rendered.stdout);
    expect(diagnostics).toEqual([]);
    expect(tools[0]).toMatchObject({ name: 'mcp.small.add' });
    expect(tools[0].description).toMatch(/^From the server small, in its words: /);
    const args = ['run', 'agent:counter', '--script', 'adds.yaml', '--input', 'Hi', '--json'];
    const ran = await cuebook(args, { cwd });
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'done', text: 'Three.' });
  },
);

itInSoak('a server that nobody names, and one that is away, have a code and say what to do', async () => {
  const cwd = project("['mcp.smal', 'mcp.gone.x']", { small: SMALL, gone: { command: 'no-such-program' } });
  const checked = await cuebook(['check', 'agent:counter', '--json'], { cwd });
  const { ok, diagnostics } = JSON.parse(checked.stdout);
  expect([ok, diagnostics.map(({ code }: { readonly code: string }) => code)]).toEqual([
    false,
    ['E_MCP_UNKNOWN'],
  ]);
  expect(diagnostics[0].message).toContain('Did you mean "mcp.small"?');
  const away = project("['mcp.gone']", { gone: { command: 'no-such-program' } });
  const { stdout } = await cuebook(['render', 'agent:counter', '--input', 'Hi', '--json'], { cwd: away });
  expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'W_MCP_SERVER' }]);
  const ran = await cuebook(['run', 'agent:counter', '--script', 'script.yaml', '--input', 'Hi', '--json'], {
    cwd: away,
  });
  expect(ran.stderr).toMatch(/^warning: The MCP server "gone" cannot be reached; .* E_MCP_START: /);
  expect(ran.code).toBe(0);
});

it('a team is rendered and tested with the tools that its nodes are sent', async () => {
  const cwd = folderWith({
    'cuebook.yaml': JSON.stringify({ servers: { small: SMALL } }),
    'team.yaml': 'goal: Add.\nnodes: [{ alias: lead, role: orchestrator, servers: [small.add, small.ad] }]\n',
    'tests/team.test.yaml': `target: team:team.yaml
cases:
  - name: has its tool
    request: { contains: ["mcp.small.add", "From the server small, in its words: Adds."] }
`,
  });
  const rendered = await cuebook(['render', 'team:team.yaml', '--json'], { cwd });
  const { tools, diagnostics } = JSON.parse(rendered.stdout);
  expect(tools.at(-1)).toMatchObject({ name: 'mcp.small.add' });
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'W_MCP_TOOL', file: 'team.yaml' }));
  const tested = await cuebook(['test', '--json'], { cwd });
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining('has its tool')]);
  expect(tested.stdout + tested.stderr).toContain('W_MCP_TOOL');
});
