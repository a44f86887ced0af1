import { describe } from './describe.js';
import { failureOf } from './failure.js';
import { createLoader } from './linker.js';
import { hold, input, onMessage, tell } from './parent.js';
import { thrownText } from './tool-result.js';

// Loads the definition files it is given, in order, and tells what each exports. The loader on the other side
// holds the clock, and is told which file is at work before it runs.

const { texts, files, folder, batch } = /** @type {import('../src/load/protocol.js').WorkerInput} */ (
  await input
);
const known = new Map(texts);

/** @type {Map<string, (text: string | undefined) => void>} */
const waiting = new Map();
onMessage((/** @type {{ path: string, text?: string }} */ { path, text }) => {
  waiting.get(path)?.(text);
  waiting.delete(path);
  if (waiting.size === 0) hold(false);
});
// A module that waits for nothing that can come must not keep this process alive.
hold(false);
process.on(
  'uncaughtException',
  (error) => void tell({ failed: thrownText(error) }).then(() => process.exit(1)),
);

const load = createLoader({
  texts: known,
  folder,
  read: (path) =>
    new Promise((resolve) => {
      hold(true);
      waiting.set(path, resolve);
      void tell({ want: path });
    }),
});

/** @type {import('../src/load/protocol.js').FileOutcome[]} */
let outcomes = [];

for (const [index, file] of files.entries()) {
  await tell({ at: index + 1 });
  outcomes.push(await outcomeOf(file));
  if (outcomes.length < batch) continue;
  await tell({ outcomes });
  outcomes = [];
}
await tell({ outcomes, done: true });

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
    return { file, failure: failureOf(error, file, known) };
  }
}
