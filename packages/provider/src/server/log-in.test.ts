import { createRedactor } from '@cuebook/prompt';
import { expect, it, onTestFinished, vi } from 'vitest';
import { oauthServer } from '../../test/oauth-server.js';
import { connectServers } from './connect.js';
import { logIn } from './log-in.js';
import { logOut } from './log-out.js';
import type { ServerLogin, ServerLogins } from './logins.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const never = new AbortController().signal;

function memory(): ServerLogins & { readonly kept: Map<string, ServerLogin> } {
  const kept = new Map<string, ServerLogin>();
  return {
    kept,
    read: async (name) => kept.get(name),
    write: async (name, login) => Boolean(kept.set(name, login)),
    remove: async (name) => kept.delete(name),
  };
}

/** Logs in as a person with a browser does: they open the address and follow where it leads. */
async function enter(url: string, logins: ServerLogins) {
  const pages: Promise<string>[] = [];
  const told: string[] = [];
  const tell = (address: string): void => {
    told.push(address);
    pages.push(fetch(address).then((response) => response.text()));
  };
  const done = await logIn({ name: 'vault', url, logins, tell, signal: never });
  return { done, told, page: (await Promise.all(pages)).join() };
}

async function connect(url: string, logins: ServerLogins) {
  const servers = await connectServers(
    { vault: { url, timeoutMs: 30_000 } },
    { env: {}, cwd: '/', redactor, logins },
  );
  onTestFinished(() => servers.close());
  const echo = async () => {
    const [tool] = servers.tools;
    return tool === undefined ? undefined : servers.call(tool, { a: 1 }, never);
  };
  return { ...servers, echo };
}

it('a server that asks for a login is used after one, the login is made fresh, and no token is told', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  const server = await oauthServer();
  const logins = memory();
  const before = await connect(server.url, logins);
  expect(before.problems).toEqual([
    expect.stringMatching(/its tools are not there\. E_MCP_LOGIN: .*cuebook mcp login vault/),
  ]);
  // Nothing is registered on the way: a run has nobody to ask.
  expect(server.asked).not.toContain('/register');
  const { done, told, page } = await enter(server.url, logins);
  expect(done).toEqual({ ok: true, value: undefined });
  const asked = new URL(told[0] ?? '').searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const there = await connect(server.url, logins);
  expect(there.problems).toEqual([]);
  const first = await there.echo();
  expect(first, JSON.stringify(first)).toMatchObject({ ok: true });
  server.expire();
  const second = await there.echo();
  expect(second, JSON.stringify(second)).toMatchObject({ ok: true });
  expect(server.given.size).toBe(4);
  server.expire();
  server.revoke();
  const third = await there.echo();
  expect(third).toMatchObject({ ok: false, error: { code: 'E_MCP_LOGIN' } });
  const again = await connect(server.url, logins);
  expect(again.problems).toEqual([expect.stringContaining('E_MCP_LOGIN: ')]);
  expect(warned).toHaveBeenCalled();
  const all = JSON.stringify([
    warned.mock.calls,
    told,
    page,
    first,
    second,
    third,
    before.problems,
    again.problems,
    there.tools,
  ]);
  for (const token of server.given) expect(all).not.toContain(token);
  expect(all).toContain('[removed:credential]');
});

it('a login is for one address: another server of the same name never gets its token', async () => {
  const [server, other] = [await oauthServer(), await oauthServer()];
  const logins = memory();
  await enter(server.url, logins);
  const { problems } = await connect(other.url, logins);
  expect(problems).toEqual([expect.stringContaining('E_MCP_LOGIN: ')]);
  expect(other.asked).toEqual(['/mcp']);
  expect(other.shown).toEqual([]);
  await connect(server.url, logins);
  expect(server.shown.length).toBeGreaterThan(0);
});

it('who does not agree, stops, or has no such server is not logged in, and an earlier login stays', async () => {
  const server = await oauthServer({ agrees: false });
  const logins = memory();
  const earlier = { url: server.url, tokens: { access_token: 'x', token_type: 'Bearer' } };
  logins.kept.set('vault', earlier);
  expect((await enter(server.url, logins)).done).toEqual({ ok: false, error: 'denied' });
  const stop = new AbortController();
  const stopped = logIn({
    ...{ name: 'vault', url: server.url, logins, signal: stop.signal },
    tell: () => stop.abort(),
  });
  expect(await stopped).toEqual({ ok: false, error: 'stopped' });
  expect((await enter('http://127.0.0.1:9/mcp', logins)).done).toEqual({ ok: false, error: 'refused' });
  expect(logins.kept.get('vault')).toEqual(earlier);
});

it('an answer that nobody asked for is not taken', async () => {
  const server = await oauthServer();
  const logins = memory();
  const statuses: number[] = [];
  const tell = async (address: string): Promise<void> => {
    const back = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    for (const query of ['code=evil&state=other', 'code=evil', ''])
      statuses.push((await fetch(`${back.href}?${query}`)).status);
    statuses.push((await fetch(new URL('/other', back))).status);
    await fetch(address);
  };
  const done = await logIn({
    name: 'vault',
    url: server.url,
    logins,
    tell: (to) => void tell(to),
    signal: never,
  });
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect(done).toEqual({ ok: true, value: undefined });
});

const ENDS = [
  ['does', 'revoked', 0],
  ['fails', 'failed', 2],
  ['not', 'not-offered', 2],
  // Nothing goes over an open line to another machine.
  ['http://127.0.0.2:9/revoke', 'not-offered', 2],
] as const;

it.each(ENDS)(
  'a login is taken back where the server offers it, and removed in any case: %s',
  async (revokes, revocation, left) => {
    const server = await oauthServer({ revokes });
    const logins = memory();
    await enter(server.url, logins);
    expect(server.taken()).toBe(2);
    expect(await logOut({ name: 'vault', logins }, never)).toEqual({ revocation });
    expect([server.taken(), logins.kept.size]).toEqual([left, 0]);
    expect(await logOut({ name: 'vault', logins }, never)).toBeUndefined();
  },
);
