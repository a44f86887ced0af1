import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';

/** The official client, and the command in this process: lines in, lines out. */
async function connect(files: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const cwd = folderWith({ ...PROJECT, ...files });
  const changed = new Map<string, () => void>();
  const lines: string[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  async function* stdin(): AsyncGenerator<Uint8Array> {
    while (!isOver || lines.length > 0) {
      const line = lines.shift();
      if (line !== undefined) yield Buffer.from(`${line}\n`);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const transport: Transport = {
    start: async () => undefined,
    async send(message: JSONRPCMessage) {
      lines.push(JSON.stringify(message));
      wake();
    },
    async close() {
      isOver = true;
      wake();
      transport.onclose?.();
    },
  };
  let read = 0;
  const onPrint = (printed: string): void => {
    const end = printed.lastIndexOf('\n') + 1;
    const fresh = printed.slice(read, end);
    read = Math.max(read, end);
    for (const line of fresh.split('\n')) if (line !== '') transport.onmessage?.(JSON.parse(line));
  };
  const served = cuebook(['mcp', ...args], { cwd, stdin: stdin(), onPrint });
  const told = (list: string) => () => changed.get(list)?.();
  const client = new Client(
    { name: 'tester', version: '1' },
    {
      listChanged: Object.fromEntries(
        ['tools', 'prompts', 'resources'].map((list) => [
          list,
          { autoRefresh: false, debounceMs: 0, onChanged: told(list) },
        ]),
      ),
    },
  );
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    await served;
  });
  /** Resolves when the server says that a list has changed. */
  const change = (list: string) => new Promise<void>((resolve) => changed.set(list, resolve));
  const textAt = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri });
    return contents.map((each) => ('text' in each ? each.text : '')).join('');
  };
  return { cwd, client, change, textAt };
}

const uri = (kind: string, name: string): string => `cuebook://${kind}/${encodeURIComponent(name)}`;

it('the official client lists and reads rendered prompts, texts and runs, and nothing else', async () => {
  const { client, textAt, cwd } = await connect(
    { 'secret.txt': 'not for you', '.env': 'KEY=1', 'names.md': 'x' },
    ['--script', 'script.yaml', '--env', 'SHELF=shelf-of-gold'],
  );
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true },
  });
  const listed = async () => (await client.listResources()).resources.map((each) => each.uri);
  const before = await listed();
  expect(before).toContain(uri('render', 'prompt:librarian'));
  expect(before).toContain(uri('text', 'agents/prompts/librarian.ts'));
  expect(before.join()).not.toMatch(/secret|env|names/);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map((each) => each.uriTemplate)).toContain('cuebook://run/{run}');
  const document = JSON.parse(await textAt(uri('render', 'prompt:librarian')));
  expect(document).toMatchObject({ profile: 'prompt', blocks: [{ name: 'system' }] });
  expect(await textAt(uri('text', 'agents/prompts/librarian.ts'))).toContain('town library');
  await client.callTool({ name: 'summarise', arguments: { text: 'A tale.' } });
  const run = (await listed()).find((each) => each.startsWith('cuebook://run/')) ?? '';
  const record = JSON.parse(await textAt(run));
  expect(record.events.length).toBeGreaterThan(3);
  expect(JSON.stringify(record)).not.toContain(cwd);
  const last = record.events.at(-1).seq;
  expect(JSON.parse(await textAt(`${run}/${last}`)).events).toEqual([]);
  for (const gone of ['secret.txt', '.env', '../etc/passwd', '/etc/passwd', '.cuebook/journal.db'])
    await expect(client.readResource({ uri: uri('text', gone) })).rejects.toThrow('no such resource');
  // Whatever is asked for, only what is listed is answered.
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('render', 'text', 'run', 'file', ''),
      fc.string(),
      async (kind, name) => {
        const asked = `cuebook://${kind}/${name}`;
        if (before.includes(asked)) return;
        await expect(client.readResource({ uri: asked })).rejects.toThrow(/no such resource/);
      },
    ),
    runs(100, 1_000),
  );
});

it('a changed file changes what is served, and the client is told which list', async () => {
  const { client, change, cwd } = await connect();
  const prompts = change('prompts');
  const resources = change('resources');
  const text = PROJECT['agents/prompts/librarian.ts'] ?? '';
  writeFileSync(join(cwd, 'agents/prompts/porter.ts'), text.replace("'librarian'", "'porter'"));
  await Promise.all([prompts, resources]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('porter');
  expect((await client.listResources()).resources.map(({ uri: at }) => at)).toContain(
    uri('render', 'prompt:porter'),
  );
  const tools = change('tools');
  mkdirSync(join(cwd, 'agents/tools'), { recursive: true });
  writeFileSync(
    join(cwd, 'agents/tools/ring.ts'),
    `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Rings', execute: async () => ({ status: 'success', result: 'rung' }) });
`,
  );
  await tools;
  const rung = await client.callTool({ name: 'ring' });
  expect(JSON.stringify(rung)).toContain('rung');
});
