import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { openFolder, withLock } from '@cuebook/files';
import { afterEach, describe, expect, it } from 'vitest';
import { findServer } from '../src/start/find-server.js';
import { type RunningServer, type ServerStartOptions, startServer } from '../src/start/start-server.js';
import { makeProject, startOptions } from './server-stand.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function project() {
  const made = makeProject();
  ends.push(() => rmSync(made.root, { recursive: true, force: true }));
  return made;
}
async function up(root: string, more: Partial<ServerStartOptions> = {}): Promise<RunningServer> {
  const started = await startServer({ ...startOptions(root), ...more });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  ends.push(() => started.value.close());
  return started.value;
}
const refused = async (root: string, more: Partial<ServerStartOptions> = {}) => {
  const started = await startServer({ ...startOptions(root), ...more });
  if (started.ok) ends.push(() => started.value.close());
  return started.ok ? undefined : started.error;
};
const mode = (path: string) => statSync(path).mode & 0o777;

describe('startServer', () => {
  it('makes a token once, readable by its owner alone, and prints it only in the fragment of the link', async () => {
    const { root, home } = project();
    rmSync(home, { recursive: true });
    const first = await up(root);
    expect(first.token).toMatch(/^[\w-]{43}$/);
    expect(first.link).toBe(`${first.url}/#token=${first.token}`);
    expect([
      mode(home),
      mode(join(home, 'server.token')),
      mode(join(home, 'server.json')),
      mode(join(home, 'journal.db')),
    ]).toEqual([0o700, 0o600, 0o600, 0o600]);
    await first.close();
    const second = await up(root);
    expect([second.token, second.port]).toEqual([first.token, first.port]);
  });

  it('waits while another process of the same home is starting one', async () => {
    const { root, home } = project();
    const opened = await openFolder(home);
    if (!opened.ok) throw new Error(opened.error.code);
    let isUp = false;
    let starting: Promise<unknown> = Promise.resolve();
    const held = await withLock(opened.value, 'server.lock', async () => {
      starting = up(root).then(() => {
        isUp = true;
      });
      // Servers that nobody finds need no lock: each of these is as long a way as that of the one that waits.
      for (let count = 0; count < 10 && !isUp; count += 1) await up(root, { idle: true });
      return isUp;
    });
    expect(held).toEqual({ ok: true, value: false });
    await starting;
    expect(isUp).toBe(true);
  });

  it('listens on the loopback alone', async () => {
    const { root } = project();
    const { url, port } = await up(root);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const listening = await new Promise<string>((resolve) => {
      // Whoever listens on every address would have this one too.
      const other: Server = createServer().once('error', () => resolve('taken'));
      other.listen(port, '127.0.0.2', () => other.close(() => resolve('free')));
    });
    expect(listening).toBe('free');
  });

  it('elsewhere only when that was said, and with a warning', async () => {
    const { root } = project();
    expect(await refused(root, { host: '0.0.0.0' })).toMatchObject({
      code: 'E_ADDRESS',
      message: expect.stringContaining('--allow-remote'),
    });
    const lines: string[] = [];
    const { url } = await up(root, { host: '0.0.0.0', allowRemote: true, log: (line) => lines.push(line) });
    expect(lines.join()).toContain('can be reached from other machines');
    expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
  });

  it('says so when the port is taken, and takes another where none was named', async () => {
    const { root, home } = project();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    ends.push(() => other.close());
    const { port } = other.address() as { port: number };
    expect(await refused(root, { port })).toMatchObject({
      code: 'E_PORT',
      message: expect.stringContaining(`Port ${port} is in use`),
    });
    writeFileSync(join(home, 'server.port'), `${port}\n`);
    expect((await up(root)).port).not.toBe(port);
  });

  it.each(['no-such-host.invalid', '203.0.113.7'])(
    'says so when %s is no address of this machine',
    async (host) => {
      const { root } = project();
      expect(await refused(root, { host, allowRemote: true })).toMatchObject({ code: 'E_ADDRESS' });
    },
  );

  it('refuses a home that others can look into, and a token that others can read', async () => {
    const { root, home } = project();
    chmodSync(home, 0o755);
    expect(await refused(root)).toMatchObject({ code: 'E_HOME_OPEN' });
    chmodSync(home, 0o700);
    await (await up(root)).close();
    chmodSync(join(home, 'server.token'), 0o644);
    expect(await refused(root)).toMatchObject({ code: 'E_HOME_OPEN' });
  });

  it('says what is wrong with the configuration', async () => {
    const { root, write } = project();
    write('cuebook.yaml', 'providers: { x: { kind: banana } }');
    const error = await refused(root);
    expect(error?.diagnostics?.[0]).toMatchObject({ file: 'cuebook.yaml', severity: 'error' });
  });

  it('ends at once while somebody follows', async () => {
    const { root, home } = project();
    const server = await up(root);
    const headers = { authorization: `Bearer ${server.token}` };
    const body = JSON.stringify({
      team: { text: JSON.stringify({ nodes: [{ alias: 'a', role: 'planner', provider: 'cli' }] }) },
    });
    const started = await fetch(`${server.url}/api/v1/runs`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const { run } = (await started.json()) as { run: string };
    const stream = await fetch(`${server.url}/api/v1/runs/${run}/events`, { headers });
    await server.close();
    expect(await stream.text()).toContain('event: ready');
    expect(existsSync(join(home, 'server.json'))).toBe(false);
    await expect(fetch(`${server.url}/api/v1/health`)).rejects.toThrow();
  });
});

describe('findServer', () => {
  it('finds the one that runs, and refuses a second', async () => {
    const { root, home } = project();
    expect(await findServer(home)).toBeUndefined();
    const { url, token, close } = await up(root);
    expect(await findServer(home)).toEqual({ url, token, pid: process.pid, version: '' });
    // The same file as another process would find it.
    const place = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8'));
    const parent = process.ppid;
    writeFileSync(
      join(home, 'server.json'),
      JSON.stringify({ ...place, pid: parent, start: startOf(parent) }),
    );
    expect(await refused(root)).toMatchObject({
      code: 'E_SERVER_RUNNING',
      message: expect.stringContaining(url),
    });
    await close();
  });

  it('takes nothing that a dead one left for it, also when its number is used again', async () => {
    const { root, home } = project();
    const ended = spawnSync(process.execPath, ['-e', '0']).pid;
    const at = { host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
    const LEFT = [
      { pid: ended, start: '1', ...at },
      { pid: process.ppid, start: 'another time', ...at },
      'not json',
      {},
    ];
    await (await up(root)).close();
    for (const left of LEFT) {
      writeFileSync(join(home, 'server.json'), typeof left === 'string' ? left : JSON.stringify(left));
      expect(await findServer(home)).toBeUndefined();
      await (await up(root)).close();
    }
  });
});

/** The time at which a process started, as the system tells it. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

describe('another user of this machine', () => {
  const isRoot = process.getuid?.() === 0;
  // Without root nobody can act as another user; the modes are tested above.
  it.runIf(isRoot)('can read neither the store nor the token, nor list the folder', async () => {
    const { root, home } = project();
    const { url } = await up(root);
    // Everything above the home is open, so that only its own mode is in the way.
    for (const folder of [root, join(root, 'project')]) chmodSync(folder, 0o755);
    const asNobody = (...command: readonly string[]) =>
      spawnSync(command[0] ?? '', command.slice(1), { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(asNobody('cat', join(root, 'project', 'cuebook.yaml')).status).toBe(0);
    for (const file of ['server.token', 'server.json', 'journal.db', 'keys/journal.ed25519']) {
      expect(existsSync(join(home, file)), file).toBe(true);
      expect(asNobody('cat', join(home, file))).toMatchObject({ status: 1, stdout: '' });
    }
    expect(asNobody('ls', home).status).not.toBe(0);
    const token = execFileSync('cat', [join(home, 'server.token')], { encoding: 'utf8' }).trim();
    expect(
      (await fetch(`${url}/api/v1/runs`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(200);
  });
});
