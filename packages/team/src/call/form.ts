import { clipWords } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { isToolName } from './tools.js';

/** What one line of an answer is to the protocol. */
export type LineForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'call'; readonly call: WrittenCall }
  | { readonly kind: 'near'; readonly rule: CallRule; readonly message: string };

/** A call as the line says it. The id is empty when none is given. */
export type WrittenCall = {
  readonly id: string;
  readonly name: string;
  readonly args: { readonly [key: string]: JsonValue };
};

/** What a line that is almost a call does wrong. */
export type CallRule =
  | 'fence'
  | 'output'
  | 'prefix'
  | 'suffix'
  | 'two'
  | 'json'
  | 'split'
  | 'wrapper'
  | 'bare'
  | 'tag'
  | 'params'
  | 'args'
  | 'name'
  | 'id'
  | 'field'
  | 'deep'
  | 'length';

/** Characters of a line that are looked at: a call that writes a file is long, and not longer than this. */
export const MAX_LINE = 1_200_000;
const MAX_DEPTH = 64;

/** Reads one line, without its line break. Linear in the line; it never throws. */
export function readForm(raw: string): LineForm {
  const line = raw.replace(/^[ \t]+|[ \t\r]+$/g, '');
  const first = line[0];
  if (first === undefined || first === '\\') return TEXT;
  if (first !== '{') return readProse(line);
  if (!MENTION.test(line) && !BARE.test(line) && !line.includes('\\u')) return TEXT;
  const extent = objectExtent(line);
  if (guard('call.depth', extent === 'deep'))
    return isMention(line) ? near('deep', `The JSON is nested more than ${MAX_DEPTH} deep.`) : TEXT;
  if (extent === 'open') return isMention(line) ? near('split', SPLIT) : TEXT;
  if (typeof extent === 'number' && extent < line.length) return readRest(line, extent);
  return readObject(line);
}

const TEXT: LineForm = { kind: 'text' };
const near = (rule: CallRule, message: string): LineForm => ({ kind: 'near', rule, message });

const MENTION = /"?tool_?call"?/i;
const WRAPPED = /\{\s*["'“”]?(?:tool_call|toolCall)["'“”]?\s*:/;
const BARE = /^\{\s*"(?:name|tool|id|args|params)"\s*:/;
const isMention = (line: string): boolean => WRAPPED.test(line) || line.includes('\\u');

const ONE_LINE = 'Write {"tool_call":{"name":"...","args":{...}}} alone on one line.';
const SPLIT = `The JSON is not closed on this line. A call is one line: ${ONE_LINE}`;

/** A line that does not begin with a brace: text, unless a call hides in it. */
function readProse(line: string): LineForm {
  if (/^"(?:tool_call|toolCall)"\s*:/.test(line)) return near('split', SPLIT);
  if (/<\/?tool_?call>/i.test(line)) return near('tag', `Calls are not written in tags. ${ONE_LINE}`);
  if (guard('call.prefix', WRAPPED.test(line)))
    return near('prefix', `The line holds more than the call: nothing may stand before it. ${ONE_LINE}`);
  return TEXT;
}

/** A whole object with something behind it. */
function readRest(line: string, end: number): LineForm {
  if (!isMention(line)) return TEXT;
  const rest = line.slice(end);
  if (WRAPPED.test(rest))
    return near('two', `There are two calls on one line, and neither was run. ${ONE_LINE}`);
  return near('suffix', `The line holds more than the call: nothing may stand behind it. ${ONE_LINE}`);
}

function readObject(line: string): LineForm {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const why = error instanceof SyntaxError ? placeOf(error.message) : '';
    return isMention(line) ? near('json', `The line is not JSON${why}. ${ONE_LINE}`) : TEXT;
  }
  if (!isObject(value)) return TEXT;
  if ('tool_call' in value) return readWrapped(value);
  if ('toolCall' in value) return near('wrapper', `The key is tool_call, not toolCall. ${ONE_LINE}`);
  const name = value.name ?? value.tool;
  const isBare = typeof name === 'string' && isToolName(name) && ('args' in value || 'params' in value);
  return isBare ? near('bare', `The call lacks its wrapper. ${ONE_LINE}`) : TEXT;
}

function readWrapped({ tool_call: call, ...others }: Readonly<Record<string, unknown>>): LineForm {
  const stray = Object.keys(others)[0];
  if (stray !== undefined) return near('field', `${quote(stray)} may not stand beside tool_call.`);
  if (!isObject(call)) return near('field', 'tool_call is a JSON object with name and args.');
  const { id = '', name, args, ...rest } = call;
  if (guard('call.params', 'params' in rest)) return near('params', 'Use args, not params.');
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined)
    return near('field', `tool_call has no field ${quote(unknown)}: it has id, name and args.`);
  if (typeof name !== 'string' || name.trim() === '')
    return near('name', 'tool_call.name is the name of a tool, in quotes.');
  if (typeof id !== 'string' || id.length > 200)
    return near('id', 'tool_call.id is a short text in quotes, or left out.');
  if (!isObject(args))
    return near('args', 'tool_call.args is a JSON object, {} when there is nothing to say.');
  return { kind: 'call', call: { id: id.trim(), name, args: args as WrittenCall['args'] } };
}

/**
 * Where the object that the line begins with ends: an offset, `open` when the line ends first, `deep` past the
 * bound. Brackets inside strings do not count; whether it is JSON is for the parser to say.
 */
function objectExtent(line: string): number | 'open' | 'deep' {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (isQuoted) {
      if (char === '\\') at += 1;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return 'deep';
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return 'open';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only the place: the message of the parser quotes the text. */
function placeOf(message: string): string {
  const at = /position (\d+)/.exec(message)?.[1];
  return at === undefined ? '' : `, wrong at character ${Number(at) + 1}`;
}

const quote = (text: string): string => JSON.stringify(clipWords(text, 80));
