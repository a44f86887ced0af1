import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oauthServer } from '../../../../packages/provider/test/oauth-server.js';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';

const SCRIPT = 'lanes: { "*": [{ toolCalls: [{ name: mcp.vault.echo, args: { a: 1 } }] }, { text: Done. }] }';

const project = (servers: object) =>
  folderWith({
    ...PROJECT,
    'agents/prompts/librarian.ts': (PROJECT['agents/prompts/librarian.ts'] ?? '').replace(
      "model: 'everyday',",
      "model: 'everyday', tools: ['mcp.vault'],",
    ),
    'agents/agents/counter.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'counter', sideA: { prompt: 'librarian' } });
`,
    'cuebook.yaml': JSON.stringify({ servers }),
    'echoes.yaml': SCRIPT,
  });

/** Every byte below a folder. */
const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'))
    .join('\n');

/** Opens the address that is told, once, as a person does. */
function browser(): (told: string) => void {
  let isOpened = false;
  return (told) => {
    const [address] = /http:\/\/\S+authorize\S+/.exec(told) ?? [];
    if (address === undefined || isOpened) return;
    isOpened = true;
    void fetch(address);
  };
}

itInTurn(
  'a person logs in at a server, an agent uses it, and the tokens are nowhere in the clear',
  async () => {
    const server = await oauthServer({ revokes: 'does' });
    const cwd = project({ vault: { url: server.url } });
    const login = async () => (await cuebook(['mcp', 'list', '--json'], { cwd })).stdout;
    expect(JSON.parse(await login())).toEqual({
      servers: [{ name: 'vault', url: server.url, login: 'none' }],
    });
    const entered = await cuebook(['mcp', 'login', 'vault'], { cwd, onTell: browser() });
    expect(entered.code).toBe(0);
    expect(entered.stdout).toMatch(/^Logged in at vault\. /);
    expect(JSON.parse(await login())).toMatchObject({ servers: [{ login: 'logged in' }] });
    expect(statSync(join(cwd, '.cuebook/logins/vault')).mode & 0o777).toBe(0o600);
    const ran = await cuebook(
      [
        'run',
        'agent:counter',
        '--script',
        'echoes.yaml',
        '--input',
        'Hi',
        '--trace',
        'trace.jsonl',
        '--json',
      ],
      { cwd },
    );
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'done', text: 'Done.' });
    expect(readFileSync(join(cwd, 'trace.jsonl'), 'utf8')).toContain(' by [removed:credential]');
    const all = [entered, ran].map((each) => each.stdout + each.stderr).join() + bytesIn(cwd);
    expect(server.given.size).toBe(2);
    for (const token of server.given) expect(all).not.toContain(token);
    const left = await cuebook(['mcp', 'logout', 'vault'], { cwd });
    expect(left.stdout).toBe(
      'The login at vault is removed from this machine. The server has taken its tokens back.\n',
    );
    expect(server.taken()).toBe(0);
    expect(JSON.parse(await login())).toMatchObject({ servers: [{ login: 'none' }] });
  },
);

it('what cannot be logged in at is said so', async () => {
  const refusing = await oauthServer({ agrees: false });
  const cwd = project({
    vault: { url: refusing.url },
    program: { command: 'some-server' },
    keyed: { url: 'https://wiki.example/mcp', keyName: 'WIKI_KEY' },
  });
  const said = async (...args: readonly string[]) => {
    const { code, stderr } = await cuebook(['mcp', ...args], { cwd });
    return `${code} ${stderr}`;
  };
  expect(await said('login')).toMatch(/^2 .*takes a server that cuebook\.yaml names.*vault, program, keyed/);
  expect(await said('login', 'program')).toMatch(/^2 .*is a program/);
  expect(await said('login', 'keyed')).toMatch(/^2 .*WIKI_KEY/);
  expect(await said('frob')).toMatch(/^2 .*There are serve, list, login, logout/);
  const denied = await cuebook(['mcp', 'login', 'vault'], { cwd, onTell: browser() });
  expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('E_MCP_LOGIN_FAILED')]);
});
