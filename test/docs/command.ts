import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../root.js';

/** The command that documents call. */
export interface Command {
  /** The program that stands for `cuebook`. */
  readonly program: string;
  /** What it needs to find in its environment. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const BIN = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');
const CLIENT = fileURLToPath(new URL('./warm/client.mjs', import.meta.url));
const SERVER = fileURLToPath(new URL('./warm/server.mjs', import.meta.url));

/**
 * `alone`, the command as users start it. Otherwise the same built code in one process for all calls: hundreds of
 * calls would spend their time on loading the same modules. That the command starts by itself is a test of its own.
 */
export async function prepareCommand(alone: boolean): Promise<Command> {
  if (alone) return { program: BIN, env: {}, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-warm-'));
  const socket = join(folder, 'socket');
  const run = pathToFileURL(join(ROOT, 'apps', 'cli', 'dist', 'run.js')).href;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
  };
  const server = spawn(process.execPath, [SERVER, socket, run], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  return {
    program: CLIENT,
    env: { CUEBOOK_WARM: socket },
    async stop() {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
