import { failureOf } from './failure.js';
import { createLoader } from './linker.js';
import { input, onMessage, tell as send } from './parent.js';
import { perform } from './perform.js';
import { thrownText } from './tool-result.js';

// Runs functions of a project's definitions, by the call. A definition is loaded when it is first called and kept,
// with whatever its module keeps. The other side holds the clock, and ends this process when a call does not let go
// of it.

const { folder } = /** @type {import('../src/live/protocol.js').LiveInput} */ (await input);
/** @type {(message: import('../src/live/protocol.js').FromThread) => void} */
const tell = (message) => void send(message);

/** @type {Map<string, string>} */
const texts = new Map();
/** @type {Map<string, ((text: string | undefined) => void)[]>} */
const wanted = new Map();
/** @type {Map<number, (ok: boolean) => void>} */
const asked = new Map();
/** @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Map<number, (isMine: boolean) => void>} */
const ready = new Map();
let asks = 0;

const load = createLoader({ texts, folder, read });
/** @type {Map<string, Promise<unknown>>} */
const definitions = new Map();

onMessage((/** @type {import('../src/live/protocol.js').ToThread} */ message) => {
  if (message.type === 'call') void call(message);
  if (message.type === 'go' || message.type === 'no') {
    ready.get(message.id)?.(message.type === 'go');
    ready.delete(message.id);
  }
  if (message.type === 'abort') running.get(message.id)?.abort();
  if (message.type === 'ping') tell({ type: 'pong' });
  if (message.type === 'reply') {
    asked.get(message.ask)?.(message.ok);
    asked.delete(message.ask);
  }
  if (message.type === 'text') {
    for (const resolve of wanted.get(message.path) ?? []) resolve(message.text);
    wanted.delete(message.path);
  }
});

// Work that a function leaves behind and that fails later must not end the calls beside it.
process.on('unhandledRejection', (error) => tell({ type: 'late', text: thrownText(error) }));
process.on('uncaughtException', (error) => tell({ type: 'late', text: thrownText(error) }));

/** @param {Extract<import('../src/live/protocol.js').ToThread, { type: 'call' }>} message */
async function call({ id, work }) {
  const loaded = await definitionOf(work.file);
  // The other side says whether it still is to run here: what it lets go counts as begun, whatever happens then.
  const isMine = await new Promise((resolve) => {
    ready.set(id, resolve);
    tell({ type: 'ready', id });
  });
  if (!isMine) return;
  if ('failure' in loaded) {
    tell({ type: 'end', id, outcome: { kind: 'threw', text: loaded.failure, aborted: false } });
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  const outcome = await perform(loaded.value, work, {
    signal: controller.signal,
    ask: (of, does, name, value, kind) =>
      new Promise((resolve) => {
        asks += 1;
        asked.set(asks, resolve);
        tell({ type: 'ask', ask: asks, id, of, does, name, value, ...(kind === undefined ? {} : { kind }) });
      }),
  });
  running.delete(id);
  tell({ type: 'end', id, outcome });
}

/**
 * @param {string} file
 * @returns {Promise<{ readonly value: unknown } | { readonly failure: string }>}
 */
async function definitionOf(file) {
  try {
    const known = definitions.get(file) ?? loadDefinition(file);
    definitions.set(file, known);
    return { value: await known };
  } catch (error) {
    definitions.delete(file);
    const { message } = failureOf(error, file, texts);
    return { failure: `The definition did not load again: ${message}` };
  }
}

/** @param {string} file */
async function loadDefinition(file) {
  const text = texts.get(file) ?? (await read(file));
  if (text !== undefined) texts.set(file, text);
  return (await load(file)).default;
}

/**
 * @param {string} path
 * @returns {Promise<string | undefined>}
 */
function read(path) {
  return new Promise((resolve) => {
    const waiting = wanted.get(path);
    if (waiting !== undefined) return void waiting.push(resolve);
    wanted.set(path, [resolve]);
    tell({ type: 'want', path });
  });
}
