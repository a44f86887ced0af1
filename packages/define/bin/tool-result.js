import { plainJson } from './plain-json.js';

const MAX_RESULT = 1_000_000;
const MAX_THROWN = 10_000;
const MAX_ATTACHMENTS = 100;
const MAX_PATH = 4096;

/**
 * What a tool answered, as one text: its `result` or `error`, the joined `content` of the Model Context Protocol,
 * or the value itself. Text past a million UTF-16 units is cut here, before it is handed to another thread.
 *
 * @param {unknown} value
 * @returns {import('../src/live/protocol.js').WorkOutcome}
 */
export function toolResult(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return success(textOf(value));
  const status = Reflect.get(value, 'status');
  const content = Reflect.get(value, 'content');
  const attachments = attachmentsOf(Reflect.get(value, 'attachments'));
  if (Array.isArray(content)) {
    const failed = Reflect.get(value, 'isError') === true || status === 'error';
    return { kind: 'result', status: failed ? 'error' : 'success', text: joined(content), attachments };
  }
  if (status !== 'success' && status !== 'error') return success(textOf(value));
  const told =
    status === 'error'
      ? (Reflect.get(value, 'error') ?? Reflect.get(value, 'result'))
      : Reflect.get(value, 'result');
  return { kind: 'result', status, text: textOf(told), attachments };
}

/**
 * The words of something thrown: an error's message, a text, or whatever JSON it is.
 *
 * @param {unknown} thrown
 */
export function thrownText(thrown) {
  try {
    const message =
      typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'message') : undefined;
    return cut(typeof message === 'string' && message !== '' ? message : textOf(thrown), MAX_THROWN);
  } catch {
    // Its own code throws again when it is looked at.
    return 'a value that cannot be shown';
  }
}

/**
 * @param {string} text
 * @returns {import('../src/live/protocol.js').WorkOutcome}
 */
const success = (text) => ({ kind: 'result', status: 'success', text, attachments: [] });

/** @param {unknown} value */
function textOf(value) {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return cut(value, MAX_RESULT);
  if (typeof value !== 'object') return String(value);
  const json = plainJson(value);
  if (!json.ok) throw new Error(`The value cannot be shown: ${json.why}`);
  return cut(JSON.stringify(json.value) ?? '', MAX_RESULT);
}

/** @param {readonly unknown[]} parts */
function joined(parts) {
  /** @type {string[]} */
  const texts = [];
  let length = 0;
  for (let at = 0; at < parts.length && length <= MAX_RESULT; at += 1) {
    const text = partText(parts[at]);
    length += text.length + 1;
    texts.push(text);
  }
  return cut(texts.join('\n'), MAX_RESULT);
}

/** @param {unknown} part */
function partText(part) {
  if (typeof part !== 'object' || part === null) return textOf(part);
  const text = Reflect.get(part, 'text');
  return typeof text === 'string'
    ? cut(text, MAX_RESULT)
    : `[${String(Reflect.get(part, 'type') ?? 'part')}]`;
}

/** @param {unknown} given */
function attachmentsOf(given) {
  if (!Array.isArray(given)) return [];
  const paths = given.slice(0, MAX_ATTACHMENTS);
  return paths.flatMap((path) => (typeof path === 'string' && path.length <= MAX_PATH ? [path] : []));
}

/**
 * @param {string} text
 * @param {number} limit
 */
const cut = (text, limit) =>
  text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}\n[cut: the result is longer]`;
