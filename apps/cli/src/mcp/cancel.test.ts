import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';

/** Somewhere that a tool can say that it was called. */
async function bell(): Promise<{ readonly url: string; readonly rung: Promise<void> }> {
  let ring = (): void => undefined;
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  const server = createServer((_request, response) => {
    response.end('heard', () => ring());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, rung };
}

it('stops an agent whose call the client cancels, answers nothing, and has it on record', async () => {
  const { url, rung } = await bell();
  const cwd = folderWith({
    ...PROJECT,
    'agents/tools/ring.ts': `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Rings', execute: async () => (await fetch('${url}')).text() });
`,
    'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'clerk', toolDescription: 'Helps', model: 'everyday', prompt: 'You help.', tools: ['ring'] });
`,
    'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' }, exposeAsTool: true, toolDescription: 'The desk' });
`,
    'steps.yaml':
      'lanes: { "*": [{ toolCalls: [{ name: ring, args: {} }] }, { delayMs: 3600000, text: "Too late." }] }\n',
  });
  const line = (message: object): Uint8Array =>
    Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  async function* stdin() {
    yield line({ id: 1, method: 'tools/call', params: { name: 'desk', arguments: { input: 'Hi' } } });
    await rung;
    yield line({ method: 'notifications/cancelled', params: { requestId: 1 } });
    yield line({ id: 2, method: 'ping' });
  }
  const { code, stdout } = await cuebook(['mcp', '--script', 'steps.yaml'], { cwd, stdin: stdin() });
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((each) => (JSON.parse(each) as { id: number }).id),
  ).toEqual([2]);
  const { stdout: runs } = await cuebook(['runs', '--json'], { cwd });
  expect(JSON.parse(runs)).toMatchObject({ runs: [{ run: expect.any(String) }] });
  expect((await cuebook(['log', '--json'], { cwd })).stdout).toContain('stopped');
  expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
});
