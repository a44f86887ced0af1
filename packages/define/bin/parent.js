import { Worker } from 'node:worker_threads';

// The other side of `src/program/program.ts`: the process that started this one.

const { ppid } = process;
const send = /** @type {NonNullable<typeof process.send>} */ (process.send?.bind(process));

// A loop of the project's code hears nothing, not even that nobody is left to hear it. A thread looks for it.
new Worker(
  `const { workerData } = require('node:worker_threads');
   setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL'); }, 1_000);`,
  { eval: true, workerData: ppid, execArgv: [], stdout: true, stderr: true },
).unref();

/**
 * Tells the other side something. Resolves when it is on its way: whatever happens to this process then, it arrives.
 *
 * @param {object} message
 * @returns {Promise<void>}
 */
export const tell = (message) => new Promise((resolve) => send(message, () => resolve()));

/** @type {unknown[]} */
const early = [];
/** @type {(message: any) => void} */
let take = (message) => early.push(message);
process.on('message', (message) => take(message));

/** The first message: what this program is given. */
export const input = new Promise((resolve) => {
  take = (message) => {
    take = (next) => early.push(next);
    resolve(message);
  };
});

/**
 * Hears all messages after the first, also those that came before somebody listened.
 *
 * @param {(message: any) => void} listener
 */
export function onMessage(listener) {
  take = listener;
  for (const message of early.splice(0)) listener(message);
}

/** Whether waiting for messages keeps this process alive. @param {boolean} isHeld */
export function hold(isHeld) {
  if (isHeld) process.channel?.ref();
  else process.channel?.unref();
}
