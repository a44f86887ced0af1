import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createClient } from '@cuebook/api';
import { expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { ROOT } from '../../../test/root.js';
import { itInTurn as it } from '../../../test/runs.js';
import { isStill, must, script, until } from './machines.js';
import { serverStand } from './server-stand.js';

const NAME = 'cuebook.example';
const SHEET = 'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n';

/** The Caddyfile of the manual. */
function manualText(): string {
  const page = readFileSync(join(ROOT, 'docs/user/machines.md'), 'utf8');
  const text = /```text\n(cuebook\.example \{\n[\s\S]*?\n\}\n)```/.exec(page)?.[1];
  if (text === undefined) throw new Error('The manual has no Caddyfile.');
  return text;
}

describePart('caddy', 'Caddy before a server, as the manual has it', (caddy) => {
  it('speaks TLS, passes events on as they come, and keeps strangers out; a follower outlives a restart of the server', async () => {
    const stand = await serverStand({ files: { 'sheets/once.yaml': SHEET }, options: { names: [NAME] } });
    let { server } = stand;
    onTestFinished(() => stand.remove());
    onTestFinished(() => server.close());
    const port = await freePort();
    const fetch = await startCaddy(caddy.path, { port, httpPort: await freePort(), to: server.port });
    const client = createClient({ url: `https://${NAME}:${port}`, token: server.token, fetch });
    while (!(await client.health()).ok);

    const page = await fetch(`https://${NAME}:${port}/`, {});
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')]);
    for (const [origin, status] of [
      [`https://${NAME}:${port}`, 200],
      ['https://stranger.example', 403],
    ] as const) {
      const headers = { origin, authorization: `Bearer ${server.token}` };
      expect((await fetch(`https://${NAME}:${port}/api/v1/runs`, { headers })).status).toBe(status);
    }

    const steps = script({ text: 'Too late.', delayMs: 3_600_000 });
    const { run } = must(await client.startRun({ id: 'slow', target: 'sheet:once', script: steps }));
    const seen: number[] = [];
    const over = new AbortController();
    let isBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    const followed = (async () => {
      for await (const heard of client.follow({ run, signal: over.signal })) {
        if (heard.type !== 'event') continue;
        seen.push(heard.event.seq);
        // The turn is under way for an hour: an answer that is kept until it ends never comes.
        if (heard.event.type === 'turn.recorded') isBegun();
      }
    })();
    await begun;
    await server.close();
    ({ server } = await stand.restart({ port: server.port }));
    while (!(await client.ready()).ok);
    must(await client.stopRun({ run }));
    const { seq } = await until(client, run, isStill);
    while (seen.length < seq) await new Promise((resolve) => setTimeout(resolve, 20));
    over.abort();
    await followed;
    expect(seen).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
  });
});

/** Starts Caddy with the text of the manual, at ports and with certificates of its own; answers how it is asked. */
async function startCaddy(
  program: string,
  { port, httpPort, to }: { readonly port: number; readonly httpPort: number; readonly to: number },
): Promise<typeof globalThis.fetch> {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'));
  const file = join(folder, 'Caddyfile');
  const own = `admin off\nhttps_port ${port}\nhttp_port ${httpPort}\nlocal_certs\nskip_install_trust\nstorage file_system ${folder}`;
  writeFileSync(file, `{\n${own}\n}\n${manualText().replace('127.0.0.1:4400', `127.0.0.1:${to}`)}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
  onTestFinished(async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const root = join(folder, 'pki/authorities/local/root.crt');
  while (!existsSync(root)) {
    if (child.exitCode !== null) throw new Error(`caddy ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (input, init = {}) =>
    new Promise<Response>((resolve, reject) => {
      const { hostname, host, pathname, search } = new URL(String(input));
      const asked = request(
        {
          ...{ host: '127.0.0.1', port, servername: hostname, ca: readFileSync(root) },
          ...{ method: init.method ?? 'GET', path: `${pathname}${search}`, agent: false },
          headers: { ...(init.headers as Record<string, string>), host },
          ...(init.signal && { signal: init.signal }),
        },
        (answer) =>
          resolve(
            new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, {
              status: answer.statusCode ?? 0,
              headers: { 'content-type': answer.headers['content-type'] ?? '' },
            }),
          ),
      );
      asked.on('error', reject);
      asked.end(init.body as string | undefined);
    });
}

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
