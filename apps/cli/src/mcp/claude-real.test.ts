import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { claudeEnvironment } from '../../../../test/model-server/agents.js';
import { type ModelServer, startModelServer } from '../../../../test/model-server/index.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { BIN, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';

describePart('claude', 'Claude Code with `cuebook mcp`', ({ path }) => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  /** One headless call of Claude Code in a home of its own, with our server and nothing else. */
  async function claude(lane: string, words: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const folder = folderWith({ ...PROJECT, 'home/.keep': '' });
    const config = {
      mcpServers: {
        cuebook: {
          command: process.execPath,
          args: [
            BIN,
            'mcp',
            '--project',
            folder,
            '--script',
            join(folder, 'script.yaml'),
            '--env',
            'SHELF=12',
          ],
        },
      },
    };
    const work = join(folder, 'work');
    mkdirSync(work);
    const args = [
      ...['-p', words, '--output-format', 'stream-json', '--verbose', '--strict-mcp-config'],
      ...['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__cuebook'],
    ];
    const env = {
      PATH: process.env.PATH,
      HOME: join(folder, 'home'),
      ...claudeEnvironment(server.laneUrl(lane)),
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
      MCP_TIMEOUT: '60000',
    };
    const child = spawn(path, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
    if (code !== 0) throw new Error(`${code} ${errors.slice(-2000)} ${out.slice(-2000)}`);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('lists our tools and prompts, and calls a function and a prompt', async () => {
    server.script('tools', [
      { toolCalls: [{ id: 'toolu_1', name: 'mcp__cuebook__find_book', args: { title: 'Emma' } }] },
      { toolCalls: [{ id: 'toolu_2', name: 'mcp__cuebook__summarise', args: { text: 'Long story.' } }] },
      { text: 'Emma is on shelf 12.' },
    ]);
    const events = await claude('tools', 'Where is Emma?');
    expect(events[0]).toMatchObject({
      mcp_servers: [{ name: 'cuebook', status: 'connected' }],
      tools: expect.arrayContaining(['mcp__cuebook__find_book', 'mcp__cuebook__summarise']),
      slash_commands: expect.arrayContaining(['mcp__cuebook__librarian', 'mcp__cuebook__summarise']),
    });
    const bodies = server.lane('tools').requests.map(({ text }) => text);
    expect(bodies.find((body) => body.includes('toolu_1'))).toContain('Emma: shelf 12');
    expect(bodies.find((body) => body.includes('toolu_2'))).toContain('In short: a story.');
    expect(events.at(-1)).toMatchObject({ type: 'result', result: 'Emma is on shelf 12.' });
  });

  itInSoak('says our prompt when the user asks for it', async () => {
    server.script('prompts', [{ text: 'Welcome.' }]);
    const events = await claude('prompts', '/mcp__cuebook__librarian hello');
    expect(events.at(-1)).toMatchObject({ type: 'result', result: 'Welcome.' });
    const [body = ''] = server
      .lane('prompts')
      .requests.filter(({ side }) => !side)
      .map(({ text }) => text);
    expect(body).toContain('You help visitors of a town library.');
    expect(body).toContain('hello');
  });
});
