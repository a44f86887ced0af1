import { parentPort, workerData } from 'node:worker_threads';
import { describe } from './describe.js';
import { failureOf } from './failure.js';
import { createLoader } from './linker.js';

// Loads the definition files it is given, in order, and tells what each exports. The loader on the other side
// holds the clock: `progress[0]` is the number of the file at work, from 1.

const { texts, files, folder, progress, batch } =
  /** @type {import('../src/load/protocol.js').WorkerInput} */ (workerData);
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const known = new Map(texts);
const at = new Int32Array(progress);

/** @type {Map<string, (text: string | undefined) => void>} */
const waiting = new Map();
port.on('message', (/** @type {{ path: string, text?: string }} */ { path, text }) => {
  waiting.get(path)?.(text);
  waiting.delete(path);
  if (waiting.size === 0) port.unref();
});
// A module that waits for nothing that can come must not keep this thread alive.
port.unref();

const load = createLoader({
  texts: known,
  folder,
  read: (path) =>
    new Promise((resolve) => {
      port.ref();
      waiting.set(path, resolve);
      port.postMessage({ want: path });
    }),
});

/** @type {import('../src/load/protocol.js').FileOutcome[]} */
let outcomes = [];

for (const [index, file] of files.entries()) {
  Atomics.store(at, 0, index + 1);
  outcomes.push(await outcomeOf(file));
  if (outcomes.length < batch) continue;
  port.postMessage({ outcomes });
  outcomes = [];
}
port.postMessage({ outcomes, done: true });

/**
 * @param {string} file
 * @returns {Promise<import('../src/load/protocol.js').FileOutcome>}
 */
async function outcomeOf(file) {
  try {
    const namespace = await load(file);
    if (!('default' in namespace)) return { file, exports: Object.keys(namespace) };
    return { file, ...(await describe(namespace.default)) };
  } catch (error) {
    return { file, failure: await failureOf(error, file, known) };
  }
}
