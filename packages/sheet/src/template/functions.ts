import type { SignedFunction, Value } from '@cuebook/template';
import { templateEngine } from './engine.js';

/**
 * Functions that look at JSON values as JavaScript does, so that a template can say exactly what one of Handlebars,
 * mustache or Nunjucks says. None of them changes a text: what an input holds is printed with the labels of the input.
 */
export function valueFunctions(): Readonly<Record<string, SignedFunction>> {
  const { signed } = templateEngine();
  const more = { variadic: true };
  return {
    text: signed(['tagged'], textOf),
    truthy: signed(['tagged'], isTruthy),
    present: signed(['tagged'], (value: Value) => isTruthy(value) && listOf(value)?.length !== 0),
    field: signed(
      ['tagged', 'string'],
      (value: Value, ...names: readonly string[]) => fieldOf(value, names),
      more,
    ),
    lookup: signed(
      ['tagged', 'tagged', 'string'],
      (otherwise: Value, value: Value, ...names: readonly string[]) =>
        hasField(value, names) ? fieldOf(value, names) : otherwise,
      more,
    ),
    items: signed(['tagged'], itemsOf),
    list: signed(['tagged'], onlyList),
    add: signed(
      ['int'],
      (...numbers: readonly number[]) => numbers.reduce((sum, each) => sum + Number(each), 0),
      more,
    ),
    each: signed(
      ['tagged', 'tagged'],
      (value: Value, ...outer: readonly Value[]) => eachOf(value, outer),
      more,
    ),
  };
}

/** What JavaScript's `String` makes of a value; nothing for null. A text stays the one that was handed in. */
function textOf(value: Value): Value {
  if (value === undefined || value === null) return '';
  if (isText(value)) return value;
  if (typeof value === 'boolean') return String(value);
  const number = numberOf(value);
  if (number !== undefined) return String(number);
  const list = listOf(value);
  return list === undefined ? '[object Object]' : list.map((each) => wordsOf(textOf(each))).join(',');
}

/** Everything but null, false, 0 and the empty text. */
function isTruthy(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (isText(value)) return wordsOf(value) !== '';
  if (typeof value === 'boolean') return value;
  return numberOf(value) !== 0;
}

function fieldOf(value: Value, names: readonly string[]): Value {
  let found = value;
  for (const name of names) found = found instanceof Map ? (found.get(name) as Value) : undefined;
  return found;
}

function hasField(value: Value, names: readonly string[]): boolean {
  const holder = fieldOf(value, names.slice(0, -1));
  return holder instanceof Map && holder.has(names.at(-1));
}

/** The items of a list, or the values of a map in the order of JavaScript; nothing for any other value. */
function itemsOf(value: Value): readonly Value[] {
  if (!(value instanceof Map)) return listOf(value) ?? [];
  const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
  const keys = [...value.keys()] as readonly string[];
  const indexes = keys.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  return [...indexes, ...keys.filter((key) => !isIndex(key))].map((key) => value.get(key) as Value);
}

/** The items of a list; nothing for a value without a length. A text is not taken apart. */
function onlyList(value: Value): readonly Value[] {
  if ((isText(value) && wordsOf(value) !== '') || (value instanceof Map && value.has('length')))
    throw new Error('a loop needs a list, and this is a text, or a map with a length');
  return listOf(value) ?? [];
}

/** What a section of mustache is repeated for: the items of a list, a value that is truthy, or the value around it. */
function eachOf(value: Value, outer: readonly Value[]): readonly Value[] {
  const list = listOf(value);
  if (list !== undefined) return list;
  if (!isTruthy(value)) return [];
  return value === true && outer.length > 0 ? outer.slice(0, 1) : [value];
}

const isText = (value: Value): boolean =>
  typeof value === 'string' || value instanceof templateEngine().Tagged;

const wordsOf = (value: Value): string =>
  typeof value === 'string' ? value : (value as { text: string }).text;

function numberOf(value: Value): number | undefined {
  const { Float, Integer } = templateEngine();
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return value instanceof Float || value instanceof Integer ? Number(value.value) : undefined;
}

function listOf(value: Value): readonly Value[] | undefined {
  if (value instanceof templateEngine().Slice) return value.items;
  return Array.isArray(value) ? (value as readonly Value[]) : undefined;
}
