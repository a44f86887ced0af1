import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { desk, tool } from '../../../../../packages/thread/test/project.js';
import { itInTurn } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const SECRET = 'tok-7f3Kq9-zebra';
const LOOK = tool(
  "return { status: 'success', result: state.env('TOKEN') === undefined ? 'MISSING' : 'has it' };",
  "args: z.object({}), variables: [{ name: 'TOKEN', type: 'secret', required: false, description: 'The key' }],",
);
const agents = Object.entries(desk("tools: ['look'],", { 'tools/look.ts': LOOK }));
const look = { toolCalls: [{ name: 'look', args: {} }] };

itInTurn(
  'a thread whose secrets cannot be opened here is refused by name, and goes on with the key, or with the secret again',
  async () => {
    const cwd = folderWith({
      'cuebook.yaml': '',
      'script.json': JSON.stringify({
        lanes: { '*': [{ text: 'One.' }, look, { text: 'Two.' }, look, { text: 'Three.' }] },
      }),
      ...Object.fromEntries(agents.map(([path, text]) => [`agents/${path}`, text])),
    });
    const run = (...more: readonly string[]) =>
      cuebook(['run', 'agent:desk', '--script', 'script.json', '--json', ...more], { cwd });
    const begun = await run('--input', 'Begin.', '--env', `TOKEN=${SECRET}`);
    expect(begun).toMatchObject({ code: 0 });
    const { thread, turns } = JSON.parse(begun.stdout);
    const goOn = (...more: readonly string[]) => run('--run', thread, '--input', 'Look.', ...more);
    const [name = ''] = readdirSync(join(cwd, '.cuebook/keys')).filter((file) => file.startsWith('threads'));
    const file = join(cwd, '.cuebook/keys', name);
    const key = readFileSync(file);
    const loseKey = (): void => writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64url')}\n`);

    loseKey();
    const refused = await goOn();
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toMatch(/E_SECRET_SEAL[\s\S]*TOKEN/);
    expect(refused.stdout + refused.stderr).not.toContain(SECRET);
    const { runs } = JSON.parse((await cuebook(['runs', '--json'], { cwd })).stdout);
    expect(runs).toMatchObject([{ run: thread, turns }]);

    writeFileSync(file, key);
    expect((await goOn()).stdout).toContain('has it');

    loseKey();
    const handed = await goOn('--env', `TOKEN=${SECRET}`);
    expect(handed.stdout).toContain('has it');
    expect(handed.stdout).not.toContain('MISSING');
  },
);
