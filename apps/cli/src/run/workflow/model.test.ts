import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readScript } from '@cuebook/provider';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../../test/model-server/index.js';
import { itInTurn as it } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../../init/workflow/template.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** The turns of the rehearsal, said by a model behind a real API: tools go by the names that the request gives them. */
function turns(): readonly ScriptedStep[] {
  const script = readScript(WORKFLOW_TEMPLATE['rehearsal.yaml'] ?? '', 'rehearsal.yaml');
  if (!script.ok) throw new Error('no script');
  return (script.value.lanes['*'] ?? []).map(
    ({ text, toolCalls = [] }): ScriptedStep =>
      ({ body }) => {
        const tools =
          (body as { tools?: readonly { name?: string; function?: { name: string } }[] }).tools ?? [];
        const names = tools.map(({ name, function: own }) => name ?? own?.name ?? '');
        const wire = (name: string) => names.find((each) => each.startsWith(name.replace('.', '_'))) ?? name;
        return {
          ...(text === undefined ? {} : { text }),
          toolCalls: toolCalls.map(({ name, args }, at) => ({ id: `call_${at}`, name: wire(name), args })),
        };
      },
  );
}

describe.each([
  ['compatible', (url: string) => ({ CUEBOOK_COMPATIBLE_URL: `${url}/v1`, CUEBOOK_COMPATIBLE_KEY: 'k' })],
  ['anthropic', (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' })],
  ['openai', (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' })],
] as const)('through the API of %s', (provider, env) => {
  it('a whole workflow is carried out, every request is one that the API takes, and none tells a path', async () => {
    server.script(provider, turns());
    const cwd = folderWith(WORKFLOW_TEMPLATE);
    const args = [
      'run',
      'workflow:workflows/request',
      '--provider',
      provider,
      '--model',
      'm',
      '--input',
      'Open when?',
    ];
    const done = await cuebook([...args, '--json'], { cwd, env: env(server.laneUrl(provider)) });
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      status: 'done',
      complete: true,
      turns: 9,
      rehearsal: false,
    });
    expect(readdirSync(join(cwd, 'artifacts')).sort()).toEqual(['answer.md', 'request.md', 'summary.md']);
    const { requests } = server.lane(provider);
    expect(requests.map(({ refused }) => refused)).toEqual(requests.map(() => undefined));
    expect(requests.some(({ text }) => text.includes(cwd))).toBe(false);
    const last = requests.at(-1)?.body as { tool_choice?: unknown };
    expect(JSON.stringify(last.tool_choice)).toContain('none');
  });
});
