import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../root.js';

/** Where a module runs. */
export interface World {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The command that documents call. */
export interface Command {
  /** The program that stands for `cuebook`. */
  readonly program: string;
  /** What it needs to find in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a module to its end; rejects with what it threw. */
  runModule(file: string, world: World): Promise<unknown>;
  stop(): Promise<void>;
}

const BIN = join(ROOT, 'apps', 'cli', 'bin', 'cuebook.js');
const CLIENT = fileURLToPath(new URL('./warm/client.mjs', import.meta.url));
const SERVER = fileURLToPath(new URL('./warm/server.mjs', import.meta.url));

/**
 * `alone`, the command as users start it. Otherwise the same built code in one process for all calls and modules:
 * hundreds would spend their time on loading the same packages. That the command starts by itself is a test of its own.
 */
export async function prepareCommand(alone: boolean): Promise<Command> {
  const runAlone: Command['runModule'] = (file, world) =>
    promisify(execFile)(process.execPath, [file], world);
  if (alone) return { program: BIN, env: {}, runModule: runAlone, stop: async () => undefined };
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
    runModule: (file, world) => runInServer(socket, pathToFileURL(file).href, world),
    async stop() {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runInServer(socket: string, module: string, { cwd, env }: World): Promise<void> {
  const server = connect(socket);
  server.write(`${JSON.stringify({ module, cwd, env })}\n`);
  for await (const line of createInterface({ input: server })) {
    const { code, err } = JSON.parse(line) as { code?: number; err?: string };
    if (err !== undefined) throw new Error(err);
    if (code === 0) return void server.destroy();
  }
  throw new Error('The process that runs modules has ended.');
}
