import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACTIONS, actionOf, body, definition } from './actions.js';
import { type CaseData, makeData, TEXTS } from './data.js';
import type { Desk, Scope } from './desk.js';
import { ERROR_KINDS, type ErrorKind } from './errors.js';
import { callTo, FUNCTIONS, type FunctionName, printfCall } from './expressions.js';
import { FORMS, makeFormat, VERBS } from './formats.js';
import { action, text } from './pieces.js';
import { type Random, randomOf } from './random.js';

/** A generated case: its line as JSON text, because `1` and `1.0` differ there, and what it exercises. */
export interface GeneratedCase {
  readonly id: string;
  readonly line: string;
  readonly tmpl: string;
  readonly used: ReadonlySet<string>;
}

/** Case number `index` of the run with this seed. Each aims at one feature in turn, or at none. */
export function generateCase(seed: number, index: number): GeneratedCase {
  const random = randomOf(seed, index);
  const aim = index % 10 >= 7 ? undefined : AIMS[(Math.floor(index / 10) * 7 + (index % 10)) % AIMS.length];
  const error = aim?.error;
  const data = error?.data ?? makeData(random);
  const lookup = makeLookup(random);
  const desk: Desk = {
    random,
    data,
    defined: [],
    paths: Object.keys(lookup).length > 0 ? Object.keys(lookup) : ['p/a'],
    used: new Set(),
    wildness: aim ? 0 : random.pick([0, 2, 6, 15]),
  };
  const tmpl = aim ? aimed(desk, rootScope(data), aim) : mutated(desk, whole(desk, rootScope(data)));
  const missingKey =
    error?.missingKey ?? (random.percent(error ? 5 : 20) ? random.pick(MISSING_KEYS) : undefined);
  const id = `g${seed}-${index}`;
  const members = [
    `"id":${JSON.stringify(id)}`,
    `"tmpl":${JSON.stringify(tmpl)}`,
    ...(tmpl.includes('include') ? [`"lookup":${JSON.stringify(lookup)}`] : []),
    `"${data.member}":${data.root.json}`,
    ...(missingKey ? [`"missingkey":"${missingKey}"`] : []),
  ];
  return { id, line: `{${members.join(',')}}`, tmpl, used: desk.used };
}

interface Aim {
  readonly error?: ErrorKind;
  readonly feature?: string;
}

/** Whole actions that test a corner of the language. */
const ODDITIES = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'oddities.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as string);

const MISSING_KEYS = ['default', 'zero', 'error', 'invalid'];

/** The features whose counts a run prints. */
export const FEATURES: readonly string[] = [
  ...ACTIONS.map((name) => `action ${name}`),
  ...FUNCTIONS.map((name) => `function ${name}`),
  ...Object.keys(VERBS).map((verb) => `verb ${verb}`),
  ...FORMS.map((form) => `form ${form}`),
];

/** What a run must exercise: every feature once a round, every way to fail and `call`, which always fails, twice. */
const AIMS: readonly Aim[] = [
  { feature: 'function call' },
  ...FEATURES.map((feature) => ({ feature })),
  ...ERROR_KINDS.map((error) => ({ error })),
  ...ERROR_KINDS.map((error) => ({ error })),
];

function rootScope({ root }: CaseData): Scope {
  return { dot: root, variables: [{ name: '$', kind: root.kind, datum: root }], isInRange: false };
}

function whole(desk: Desk, scope: Scope): string {
  const { random } = desk;
  const parts = Array.from({ length: random.below(3) }, () => definition(desk, scope, 1));
  const odd = Array.from({ length: random.percent(40) ? 1 + random.below(2) : 0 }, () =>
    random.pick(ODDITIES),
  );
  const main = body(desk, scope, 2, random.below(4));
  return random.percent(70) ? [...parts, ...odd, main].join('') : [main, ...odd, ...parts].join('');
}

function aimed(desk: Desk, scope: Scope, { error, feature }: Aim): string {
  const { random } = desk;
  const around = () => body(desk, scope, 1, random.below(3));
  if (error) {
    const snippet = random
      .pick(error.snippets)
      .replaceAll('§', () => random.pick(['1', '"a"', '(print 1)', '.']));
    if (error.place === 'end') return `${calm(desk)}${snippet}`;
    return error.place === 'top' || random.percent(70)
      ? `${calm(desk)}${snippet}${around()}`
      : `${calm(desk)}${wrapped(desk, snippet)}${around()}`;
  }
  const [sort, ...words] = (feature ?? '').split(' ');
  const name = words.join(' ');
  if (sort === 'action' && (name === 'template' || name === 'define')) {
    const defined = definition(desk, scope, 1);
    return `${defined}${around()}${actionOf(desk, scope, 'template', 2).text}`;
  }
  if (sort === 'action') return `${around()}${actionOf(desk, scope, name, 2).text}${around()}`;
  const made =
    sort === 'function'
      ? callTo(desk, scope, name as FunctionName, 2)
      : printfCall(desk, scope, makeFormat(desk, name), random.below(2));
  return `${around()}${action(desk, made.text)}${around()}`;
}

/** A little that goes well, so that what follows is reached. */
function calm(desk: Desk): string {
  const { random } = desk;
  const calmActions = [
    '{{1}}',
    '{{print "a" 1}}',
    '{{if true}}y{{end}}',
    '{{/* c */}}',
    '{{range 2}}r{{end}}',
    '{{- 3 -}}',
    '{{$c := 1}}',
    '{{"é\\n"}}',
    "{{\n'x'}}",
  ];
  const pieces = Array.from({ length: random.below(4) }, () =>
    random.percent(60) ? text(desk) : random.pick(calmActions),
  );
  return pieces.join('');
}

/** The snippet inside of actions that run and keep the dot. */
function wrapped(desk: Desk, snippet: string): string {
  const wrappers: readonly (readonly [string, string])[] = [
    ['{{if true}}', '{{end}}'],
    ['{{if false}}{{else}}', '{{end}}'],
    ['{{block "W" .}}', '{{end}}'],
    ['{{with $}}', '{{end}}'],
    ['{{if 0}}{{else if 1}}\n', '{{end}}'],
    ['{{if 1}}{{if 2}}', '{{end}}{{end}}'],
  ];
  const [open, close] = desk.random.pick(wrappers);
  return open + snippet + close;
}

/** The template, now and then with one thing broken. */
function mutated(desk: Desk, tmpl: string): string {
  const { random } = desk;
  if (!random.percent(35)) return tmpl;
  const units = [...tmpl];
  const at = random.below(units.length + 1);
  const length = random.pick([1, 1, 2, 5, 12]);
  switch (random.below(5)) {
    case 0:
      return units.slice(0, at).join('');
    case 1:
      return [...units.slice(0, at), ...units.slice(at + length)].join('');
    case 2:
      return [...units.slice(0, at), random.pick(INTRUDERS), ...units.slice(at)].join('');
    case 3:
      return [...units.slice(0, at + length), ...units.slice(at)].join('');
    default:
      return [...units.slice(0, at), random.pick(INTRUDERS), ...units.slice(at + length)].join('');
  }
}

const INTRUDERS = [
  '{{',
  '}}',
  '(',
  ')',
  '"',
  '`',
  "'",
  '|',
  '.',
  '$',
  ',',
  ':=',
  '=',
  ' ',
  '\n',
  '-',
  ' -}}',
  '{{- ',
  '{{end}}',
  '{{else}}',
  '0',
  'x',
  'é',
  '@',
  '\\',
  '*/',
  '/*',
  'nil',
  ' 1 ',
  '\u00a0',
  '{{break}}',
  '%',
  '.a',
  '$x',
  '_',
];

function makeLookup(random: Random): Readonly<Record<string, string>> {
  if (random.percent(10)) return {};
  const known = ['p/a', 'p/nl', 'p/empty', 'builtin/safety', 'é/x'];
  return Object.fromEntries(
    random.some(known, 1 + random.below(3)).map((path) => [path, random.pick(TEXTS)]),
  );
}
