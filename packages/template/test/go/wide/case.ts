import { fromBytes, toBytes } from '../../../src/fmt/bytes.js';
import { typeName } from '../../../src/fmt/type-name.js';
import {
  Float,
  type Integer,
  type MissingKey,
  parseTemplate,
  signed,
  slice,
  type TemplateFunction,
  type Value,
} from '../../../src/index.js';
import type { OurAnswer } from '../compare.js';
import { randomOf } from '../random.js';
import { body, broken, definition, type Names, type Pen, plainText } from './template.js';
import { agent, anyValue, callable, list, map, type Typed, text } from './value.js';

/** A template, its delimiters and its data with types: what Go and we are both asked. */
export interface WideCase {
  readonly id: string;
  readonly tmpl: string;
  readonly delimiters: readonly [string, string];
  readonly missingKey: MissingKey;
  /** The value, and how Go gets it. */
  readonly data: { readonly value: Value; readonly json: string };
}

/** Case number `index` of the run with this seed. */
export function wideCase(seed: number, index: number): WideCase {
  const random = randomOf(seed ^ 0x5bd1e995, index);
  const delimiters = random.percent(82) ? (['{{', '}}'] as const) : random.pick(DELIMITERS);
  const isWild = random.percent(25);
  const pen: Pen = { random, isWild, left: delimiters[0] || '{{', right: delimiters[1] || '}}' };
  const data = sharedData(seed, index >> 3);
  const templates = random.percent(25) ? random.some(['T', 'U', 'é'], 1 + random.below(2)) : [];
  const names: Names = {
    paths: [...KEYS, ...LISTS, 's', 'nope'].map((key) => `.${key}`),
    lists: LISTS.map((key) => `.${key}`),
    variables: ['$'],
    templates,
    isRoot: true,
    isInRange: false,
    canCall: true,
  };
  const definitions = templates.map((name) => definition(pen, names, name)).join('');
  const made = `${definitions}${random.percent(20) ? plainText(random) : ''}${body(pen, names, 2)}`;
  const tmpl = fromBytes(toBytes(isWild && random.percent(60) ? broken(pen, made) : made));
  const missingKey = random.percent(80) ? 'default' : random.pick<MissingKey>(['zero', 'error', 'invalid']);
  return { id: `w${seed}-${index}`, tmpl, delimiters, missingKey, data };
}

/** The data of eight cases in a row: making it takes longer than writing a template. */
function sharedData(seed: number, index: number): Shared {
  const key = `${seed} ${index}`;
  if (shared?.key === key) return shared;
  const random = randomOf(seed ^ 0x2c1b3c6d, index);
  const entries: [string, Typed][] = [];
  for (const key of KEYS) {
    if (random.percent(50)) entries.push([key, anyValue(random, random.percent(30) ? 2 : 1)]);
  }
  for (const key of LISTS) entries.push([key, list(anyValue(random, random.below(2)), anyValue(random, 0))]);
  entries.push(['s', text('héllo')], ['g', agent('Ann', 2)]);
  if (random.percent(8)) entries.push(['fn', callable]);
  const { json, value } = random.percent(94) ? map(entries) : anyValue(random, 2);
  shared = { key, value, json: JSON.stringify(json) };
  return shared;
}

interface Shared {
  readonly key: string;
  readonly value: Value;
  readonly json: string;
}

let shared: Shared | undefined;

/** The case as Go reads it. */
export const lineOf = ({ id, tmpl, delimiters, missingKey, data }: WideCase): string =>
  `${JSON.stringify({
    id,
    tmplBytes: Buffer.from(toBytes(tmpl)).toString('base64'),
    delims: delimiters,
    missingkey: missingKey,
  }).slice(0, -1)},"typed":${data.json}}`;

/** The answer of one back end; none past a bound. What it throws is an answer like no other. */
export function answerCase(one: WideCase, engine: 'code' | 'closures'): OurAnswer | undefined {
  const { tmpl, delimiters, missingKey, data } = one;
  try {
    const parsed = parseTemplate({
      name: 'systemMessage',
      text: tmpl,
      delimiters,
      missingKey,
      functions: FUNCTIONS,
      engine,
    });
    if (!parsed.ok) return failed(`failed to parse system message template: ${parsed.error.message}`);
    const rendered = parsed.value.render(data.value);
    if (!rendered.ok && rendered.error.code === 'E_TEMPLATE_LIMIT') return undefined;
    if (!rendered.ok) return failed(`failed to execute system message template: ${rendered.error.message}`);
    return { ok: true, out: rendered.value.text, err: null, bytes: rendered.value.bytes };
  } catch (thrown) {
    return failed(`thrown: ${thrown}`);
  }
}

const failed = (err: string): OurAnswer => ({ ok: false, out: null, err });

/** Whether an answer may show the address of a function, which is another one each time. */
export const showsAddress = ({ tmpl, data }: WideCase): boolean =>
  /make|%[^a-zA-Z%]*p/.test(tmpl) || data.json.includes('["func"]');

/** The functions of the oracle. */
const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  include: signed(['string'], () => ''),
  up: signed(['string'], (word: string) => `<${word}>`),
  add: signed(['int'], (...all: (number | bigint)[]) => sum(all), { variadic: true }),
  half: signed(
    ['float64'],
    (value: Float | number) => new Float((value instanceof Float ? value.value : value) / 2),
  ),
  flip: signed(['bool'], (value: boolean) => !value),
  pair: signed(
    ['string', 'any'],
    (word: string, value: Value) =>
      `${word}:${value === undefined || value === null ? '<nil>' : typeName(value)}`,
  ),
  id: signed(['any'], (value: Value) => value ?? null),
  none: signed([], () => null),
  make: signed([], () => MADE),
  u8: signed(['uint8'], (value: Value) => value),
  u64: signed(['uint64'], (value: Value) => value),
  f32: signed(['float32'], (value: Value) => value),
  i16: signed(['int16'], (...all: readonly Value[]) => slice('int16', all), { variadic: true }),
  made8: signed([], () => MADE_8),
  boom: signed([], () => {
    throw new Error('it broke');
  }),
};

const MADE = Object.assign((count: number | bigint, ...words: string[]) => `${count} ${words.length}`, {
  signature: { params: ['int', 'string'], variadic: true },
});

const MADE_8 = signed(
  ['int8', 'uint32'],
  (first: Integer, ...rest: readonly Integer[]) =>
    `${first.value} [${rest.map(({ value }) => value).join(' ')}]`,
  { variadic: true },
);

function sum(all: readonly (number | bigint)[]): number | bigint {
  const total = BigInt.asIntN(
    64,
    all.reduce((one: bigint, other) => one + BigInt(other), 0n),
  );
  return Number.isSafeInteger(Number(total)) ? Number(total) : total;
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'é'] as const;
const LISTS = ['xs', 'ys'] as const;

const DELIMITERS: readonly (readonly [string, string])[] = [
  ['<<', '>>'], ['[[', ']]'], ['${', '}'], ['%', '%'], ['<', '>'], ['{{{', '}}}'], ['é', 'ü'], ['//', '\n'], ['(', ')'], ['"', '"'], ['.', '.'],
  ['{{', ''], ['', '>>'], ['- ', ' -'], ['<%=', '%>'], ['|', '|'], ['`', '`'], ['{{', '-}}'], ['a', 'z'], ['{{', ' }}'], ['😀', '😀'],
]; // biome-ignore format: a table
