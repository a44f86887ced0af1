const MAX_DEPTH = 64;
const MAX_NODES = 200_000;
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * A copy of a value as JSON knows it, in new objects that any thread can be given; or why it is none. The limits
 * hold whatever the value is: one that refers to itself, that grows while it is read, that takes all memory.
 * Getters and `toJSON` run; what they throw is thrown.
 *
 * @param {unknown} value
 * @returns {{ readonly ok: true, readonly value: unknown } | { readonly ok: false, readonly why: string }}
 */
export function plainJson(value) {
  try {
    return { ok: true, value: copy(value, 0, { nodes: MAX_NODES, text: MAX_TEXT }) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, why: error.message };
    throw error;
  }
}

class NotJson extends Error {}

/**
 * @param {unknown} given
 * @param {number} depth
 * @param {{ nodes: number, text: number }} room
 * @returns {unknown}
 */
function copy(given, depth, room) {
  if (depth > MAX_DEPTH) throw new NotJson('it is nested too deep, or holds itself');
  room.nodes -= 1;
  if (room.nodes < 0) throw new NotJson('it has too many parts');
  const value = fromToJson(given);
  switch (typeof value) {
    case 'string':
      room.text -= value.length;
      if (room.text < 0) throw new NotJson('it has too much text');
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return value;
    case 'bigint':
      throw new NotJson('it holds a bigint');
    case 'object':
      return value === null ? null : copyObject(value, depth, room);
    default:
      return undefined;
  }
}

/** @param {unknown} value */
function fromToJson(value) {
  if (typeof value !== 'object' || value === null) return value;
  const toJson = Reflect.get(value, 'toJSON');
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, []) : value;
}

/**
 * @param {object} value
 * @param {number} depth
 * @param {{ nodes: number, text: number }} room
 */
function copyObject(value, depth, room) {
  if (Array.isArray(value)) {
    if (value.length > room.nodes) throw new NotJson('it has too many parts');
    return Array.from(value, (each) => copy(each, depth + 1, room) ?? null);
  }
  /** @type {[string, unknown][]} */
  const entries = [];
  for (const key of Object.keys(value)) {
    room.text -= key.length;
    const each = copy(Reflect.get(value, key), depth + 1, room);
    if (each !== undefined) entries.push([key, each]);
  }
  return Object.fromEntries(entries);
}
