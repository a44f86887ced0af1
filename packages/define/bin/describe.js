import { KIND } from './definers.js';
import { loadZod } from './zod.js';

/**
 * A definition as plain data that another thread can read: functions become `{ $fn }`, zod schemas
 * `{ $schema }` with their JSON Schema or `{ $badSchema }` with why they have none, and whatever else is not
 * data `{ $other }`. Depth and size are bounded, so that a definition that refers to itself ends.
 *
 * @param {unknown} value
 * @returns {Promise<{ kind: string | undefined, data: unknown }>}
 */
export async function describe(value) {
  // Loaded when the first schema is met: without one there is no need for it.
  if (zod === undefined && holdsSchema(value)) zod = (await loadZod()).z;
  const kind = typeof value === 'object' && value !== null ? Reflect.get(value, KIND) : undefined;
  const room = { nodes: MAX_NODES, text: MAX_TEXT };
  return { kind: typeof kind === 'string' ? kind : undefined, data: plain(value, 0, room) };
}

/** @type {typeof import('zod').z | undefined} */
let zod;

/** @param {unknown} value */
const holdsSchema = (value) =>
  typeof value === 'object' && value !== null && ('requiredSchema' in value || 'args' in value);

const MAX_DEPTH = 12;
const MAX_NODES = 200_000;
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {{ nodes: number, text: number }} room
 * @returns {unknown}
 */
function plain(value, depth, room) {
  room.nodes -= 1;
  if (room.nodes < 0 || depth > MAX_DEPTH) return { $other: 'something too large or too deep' };
  switch (typeof value) {
    case 'string':
      room.text -= value.length;
      return room.text < 0 ? { $other: 'too much text' } : value;
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'function':
      return { $fn: value.name };
    case 'object':
      return value === null ? null : fromObject(value, depth, room);
    default:
      return { $other: `a ${typeof value}` };
  }
}

/**
 * @param {object} value
 * @param {number} depth
 * @param {{ nodes: number, text: number }} room
 */
function fromObject(value, depth, room) {
  if ('_zod' in value) return fromSchema(value);
  if (Array.isArray(value)) {
    if (value.length > room.nodes) return { $other: 'a list that is too long' };
    return Array.from(value, (each) => plain(each, depth + 1, room));
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return { $other: `a ${String(prototype.constructor?.name ?? 'class')}` };
  }
  /** @type {[string, unknown][]} */
  const entries = [];
  for (const [key, each] of Object.entries(value)) {
    if (each !== undefined) entries.push([key, plain(each, depth + 1, room)]);
  }
  return Object.fromEntries(entries);
}

/** @param {object} schema */
function fromSchema(schema) {
  if (zod === undefined) return { $other: 'a schema' };
  try {
    const { $schema: _, ...json } = zod.toJSONSchema(/** @type {import('zod').core.$ZodType} */ (schema), {
      io: 'input',
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod;
        // What a caller may hand in: nothing but the fields, unless the schema says otherwise.
        if (def.type === 'object' && def.catchall === undefined) jsonSchema.additionalProperties = false;
      },
    });
    const said = JSON.parse(JSON.stringify(json));
    openParts(said, said.$defs ?? {});
    return { $schema: said };
  } catch (error) {
    return { $badSchema: error instanceof Error ? error.message.slice(0, 200) : 'it has no JSON Schema' };
  }
}

/**
 * A part of an intersection sees the fields of the other parts, and must not refuse them.
 *
 * @param {unknown} node
 * @param {Readonly<Record<string, unknown>>} defs
 */
function openParts(node, defs) {
  if (typeof node !== 'object' || node === null) return;
  const { allOf } = /** @type {{ allOf?: unknown }} */ (node);
  if (Array.isArray(allOf)) for (const part of allOf) openPart(part, defs, new Set());
  for (const each of Object.values(node)) openParts(each, defs);
}

/**
 * @param {unknown} part
 * @param {Readonly<Record<string, unknown>>} defs
 * @param {Set<unknown>} seen
 */
function openPart(part, defs, seen) {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  const { $ref, ...node } = /** @type {{ $ref?: unknown, [key: string]: unknown }} */ (part);
  if (node.additionalProperties === false) Reflect.deleteProperty(part, 'additionalProperties');
  if (typeof $ref === 'string') openPart(defs[$ref.replace('#/$defs/', '')], defs, seen);
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(node[key])) for (const each of node[key]) openPart(each, defs, seen);
}
