import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it as itAlways, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { BIN, cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';

// The official client against the built command, in a process of its own.

async function connect(files: Readonly<Record<string, string>> = PROJECT, more: readonly string[] = []) {
  const folder = folderWith(files);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', '--project', folder, ...more],
    stderr: 'pipe',
  });
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, folder };
}

const text = (result: unknown): string =>
  ((result as { content?: readonly { text?: string }[] }).content ?? []).map((part) => part.text).join('');

describe('the official client', () => {
  itAlways('lists and gets prompts, and calls tools', async () => {
    const { client, folder } = await connect(PROJECT, ['--env', 'SHELF=12']);
    expect(client.getServerVersion()).toMatchObject({ name: 'cuebook' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find_book', 'summarise']);
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: 'librarian',
        description: 'Answers visitors',
        arguments: [{ name: 'input', description: 'What the user says' }],
      },
      {
        name: 'summarise',
        description: 'Sums up a text',
        arguments: [{ name: 'text', description: 'What to sum up', required: true }],
      },
    ]);
    const { messages } = await client.getPrompt({ name: 'summarise', arguments: { text: 'A tale.' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Sum up what you are given.' } },
      { role: 'user', content: { type: 'text', text: 'A tale.' } },
    ]);
    expect(text(await client.callTool({ name: 'find_book', arguments: { title: 'Emma' } }))).toBe(
      'Emma: shelf 12',
    );
    await expect(client.getPrompt({ name: 'summarise' })).rejects.toThrow('E_INPUT text');
    await expect(client.getPrompt({ name: 'gone' })).rejects.toThrow('no such prompt');
    const spoken = await client.callTool({ name: 'summarise', arguments: { text: 'A tale.' } });
    expect(text(spoken)).toContain('This is a rehearsal');
    await client.close();
    const { stdout } = await cuebook(['runs', '--json'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ turns: 1 }] });
    expect(await cuebook(['verify', '--all'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  it('cancels a call, and the server goes on', async () => {
    const wait = `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Waits', execute: () => new Promise(() => {}) });
`;
    const { client } = await connect({ ...PROJECT, 'agents/tools/wait.ts': wait });
    const stop = new AbortController();
    const waiting = client.callTool({ name: 'wait' }, { signal: stop.signal });
    const refused = expect(waiting).rejects.toThrow();
    stop.abort();
    await refused;
    expect(text(await client.callTool({ name: 'find_book', arguments: { title: 'Emma' } }))).toContain(
      'E_VARIABLE_MISSING The tool needs SHELF',
    );
  });
});
