import { compareBytes } from '../../src/fmt/bytes.js';
import { quoteString } from '../../src/fmt/quote.js';
import { type GoTemplate, newTemplate, type TemplateFunction } from '../../src/index.js';
import type { RenderEngine } from '../../src/render.js';
import { type Random, randomOf } from './random.js';

/** One call of a method of a template, as the oracle reads it. */
export interface SetStep {
  readonly do: string;
  /** The place of the template among those that the steps before have made. */
  readonly on: number;
  readonly name?: string;
  readonly text?: string;
  readonly tree?: number;
  readonly words?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** What all programs are executed with: each call of a template goes one level down, so that every program ends. */
export const DATA = { k: 'v', n: { k: 'w', xs: [1, 2], n: { k: 'u' } } };

/** The steps of program number `index` of the run with this seed. */
export function setProgram(seed: number, index: number): readonly SetStep[] {
  const random = randomOf(seed ^ 0x3c6ef372, index);
  return Array.from({ length: 4 + random.below(14) }, (_, at) => anyStep(random, at));
}

/** What each step answers, a line each. */
export function runSet(steps: readonly SetStep[], engine: RenderEngine): string {
  const made: (GoTemplate | undefined)[] = [newTemplate('a', { engine })];
  return steps
    .map((step, at) => {
      const template = made[step.on];
      return template ? runStep(made, template, step, at) : 'nothing';
    })
    .join('\n');
}

function runStep(
  made: (GoTemplate | undefined)[],
  template: GoTemplate,
  { do: method, name = '', text = '', tree = 0, words = [], files = {} }: SetStep,
  at: number,
): string {
  switch (method) {
    case 'new':
      made.push(template.new(name));
      return 'ok';
    case 'parse':
      return worded(template.parse(text));
    case 'files': {
      const paths = Object.keys(files).sort(compareBytes);
      return worded(template.parseFiles(paths.map((path) => ({ path, text: files[path] ?? '' }))));
    }
    case 'add': {
      const given = made[tree]?.tree;
      if (!given) return 'no tree';
      made.push(template.addParseTree(name, given));
      return 'ok';
    }
    case 'lookup': {
      const found = template.lookup(name);
      made.push(found);
      return String(found !== undefined);
    }
    case 'templates':
      return `[${template
        .templates()
        .map((each) => quoteString(each.name))
        .join(' ')}]`;
    case 'defined':
      return template.definedTemplates().replace('; defined templates are: ', '');
    case 'clone':
      made.push(template.clone());
      return 'ok';
    case 'option':
      return thrown(() => template.option(...words));
    case 'delims':
      template.delims(words[0] ?? '', words[1] ?? '');
      return 'ok';
    case 'funcs':
      return thrown(() => template.funcs({ [name]: setFunction(name, text, at) }));
    default: {
      const result = method === 'execute' ? template.execute(DATA) : template.executeTemplate(name, DATA);
      return result.ok ? quoteString(result.value.text) : result.error.message;
    }
  }
}

const worded = (result: ReturnType<GoTemplate['parse']>): string => (result.ok ? 'ok' : result.error.message);

function thrown(run: () => unknown): string {
  try {
    run();
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  }
}

const setFunction = (name: string, text: string, at: number): TemplateFunction =>
  text === 'text'
    ? ('no function' as unknown as TemplateFunction)
    : (...args: readonly unknown[]) => `${name}${at} ${args.length}`;

const NAMES = ['a', 'b', 'c', 'é', 'x.tmpl'] as const;
const FUNCTIONS = ['f', 'g', 'len', 'break', 'é'] as const;

function anyStep(random: Random, at: number): SetStep {
  const on = random.percent(60) ? 0 : random.below(Math.max(1, at));
  const name = random.pick(NAMES);
  const kind = random.below(100);
  if (kind < 30) return { do: 'parse', on, text: anyText(random) };
  if (kind < 50) return { do: 'executeTemplate', on, name };
  if (kind < 65) return { do: 'execute', on };
  if (kind < 71) return { do: 'new', on, name };
  if (kind < 76) return { do: 'clone', on };
  if (kind < 80) return { do: 'lookup', on, name };
  if (kind < 84) return { do: 'add', on, name, tree: random.below(at + 1) };
  if (kind < 88) return { do: 'files', on, files: anyFiles(random) };
  if (kind < 90) return { do: 'templates', on };
  if (kind < 92) return { do: 'defined', on };
  if (kind < 95)
    return {
      do: 'funcs',
      on,
      name: random.pick([...FUNCTIONS, ...FUNCTIONS, '', '1f', 'f-g', '_']),
      text: random.percent(8) ? 'text' : '',
    };
  if (kind < 97)
    return {
      do: 'delims',
      on,
      words: random.pick([
        ['<<', '>>'],
        ['', ''],
        ['[[', ''],
      ]),
    };
  return { do: 'option', on, words: random.pick(OPTIONS) };
}

const OPTIONS: readonly (readonly string[])[] = [
  ['missingkey=error'],
  ['missingkey=zero'],
  ['missingkey=default'],
  ['missingkey=invalid'],
  ['missingkey=zero', 'missingkey=error'],
  ['missingkey=x'],
  ['missingkey=zero=1'],
  [''],
  ['nope'],
  [],
];

function anyFiles(random: Random): Readonly<Record<string, string>> {
  const paths = random.some(['a', 'b', 'd/a', 'd/x.tmpl', 'x.tmpl', 'd/e/é'], random.below(4));
  return Object.fromEntries(paths.map((path) => [path, anyText(random)]));
}

function anyText(random: Random): string {
  const parts = Array.from({ length: random.below(4) }, () => anyPart(random));
  const text = parts.join('');
  return random.percent(12) ? text.replaceAll('{{', '<<').replaceAll('}}', '>>') : text;
}

function anyPart(random: Random): string {
  const name = JSON.stringify(random.pick(NAMES));
  switch (random.below(16)) {
    case 0:
    case 1:
      return `{{define ${name}}}${inner(random)}{{end}}`;
    case 2:
    case 3:
      return `{{block ${name} .n}}${inner(random)}{{end}}`;
    case 4:
    case 5:
    case 6:
      return `{{with .n}}{{template ${name} .}}{{end}}`;
    case 7:
      return `{{define ${name}}}${random.pick(['', ' ', '\n\t', '{{/* c */}}', '{{- "" -}}'])}{{end}}`;
    default:
      return inner(random);
  }
}

const inner = (random: Random): string => random.pick(INNER);

const INNER = [
  'text', ' ', '\n', 'é\n', '{{.k}}', '{{.k}}\n', '{{.k | printf "%q"}}', '{{.nope}}', '{{.nope.x}}', '{{.k.x}}', '{{f}}', '{{g 1}}', '{{len .k}}',
  '{{/* c */}}', '{{if}}', '{{.xs | len}}', '{{range .xs}}{{break}}{{end}}', '{{index .xs 5}}', '{{$x := .k}}{{$x}}', '{{end}}', '',
]; // biome-ignore format: a table
