// @ts-check
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the checkout. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a program with its output on the terminal and no standard input. Answers its exit code;
 * 127 when it cannot be started, 128 when a signal ended it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, ...options, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 128));
  });
}

/**
 * Runs a program and answers its exit code and what it wrote, standard error after standard output. After
 * `limitMs` it is ended with everything it started, and the code is 124.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 * @returns {Promise<{ code: number, stdout: string, output: string }>}
 */
export function capture(command, args, { limitMs, ...options } = {}) {
  return new Promise((resolve) => {
    const detached = limitMs !== undefined;
    const child = spawn(command, args, {
      cwd: ROOT,
      ...options,
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let isLate = false;
    const end = () => {
      isLate = true;
      // A detached child leads a group of its own: the minus sign names the group.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = detached ? setTimeout(end, limitMs) : undefined;
    // A group of its own does not hear the terminal's interrupt: what we start ends with us.
    const leave = () => process.exit(130);
    if (detached) process.once('SIGINT', leave).once('SIGTERM', leave).once('exit', end);
    const settle = () => {
      clearTimeout(timer);
      process.off('SIGINT', leave).off('SIGTERM', leave).off('exit', end);
    };
    /** @type {Buffer[]} */
    const out = [];
    /** @type {Buffer[]} */
    const err = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.on('error', (error) => {
      settle();
      resolve({ code: 127, stdout: '', output: error.message });
    });
    child.on('close', (code) => {
      settle();
      const stdout = Buffer.concat(out).toString();
      resolve({ code: isLate ? 124 : (code ?? 128), stdout, output: stdout + Buffer.concat(err).toString() });
    });
  });
}

/**
 * The program and leading arguments that start npm: the npm that started us, or the one on the path.
 *
 * @returns {readonly [string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}

/**
 * The environment for an npm that works in another folder: without it, npm takes the folder of the npm
 * that started us.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment() {
  const env = { ...process.env };
  delete env.npm_config_local_prefix;
  delete env.INIT_CWD;
  return env;
}

/**
 * Runs jobs with at most `width` under way, keeping the order of the answers.
 *
 * @template Item, Answer
 * @param {readonly Item[]} items
 * @param {number} width
 * @param {(item: Item) => Promise<Answer>} job
 * @returns {Promise<Answer[]>}
 */
export async function inParallel(items, width, job) {
  /** @type {Answer[]} */
  const answers = [];
  const queue = items.map((item, index) => ({ item, index }));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) answers[next.index] = await job(next.item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return answers;
}
