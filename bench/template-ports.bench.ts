import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile as ctrl } from '@ctrl/golang-template';
import { parseTemplate } from '@cuebook/template';
import { Template as GoTextTemplate } from 'go-text-template';
import { measure, print } from './measure.js';

// The other ports of Go's templates on npm that need no install script. Each knows a part of the language, so each is
// measured on a template of its own part, with equal outputs; and each is asked for every recorded answer of Go.

type Row = { readonly [key: string]: unknown };

const ours = (text: string, data: unknown): string => {
  const template = parseTemplate({ name: 't', text });
  if (!template.ok) throw new Error(template.error.message);
  return rendered(template.value.render(data));
};
const rendered = (
  result: ReturnType<Extract<ReturnType<typeof parseTemplate>, { ok: true }>['value']['render']>,
): string => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value.text;
};
const fresh = (n: number): Row => ({
  name: `agent-${n}`,
  mode: n % 2 === 0 ? 'plan' : 'build',
  planning: n % 2 === 0,
  goal: { text: `Objective ${n}`, done: 'all tests pass' },
  tools: Array.from({ length: 12 }, (_, at) => ({
    name: `tool-${n}-${at}`,
    about: 'reads a file',
    safe: at % 3 === 0,
  })),
});

const PORTS: readonly { name: string; compile: (text: string) => (data: Row) => string; text: string }[] = [
  {
    name: 'go-text-template 0.2.2',
    // It reads the text anew in each render.
    compile: (text) => (data) => new GoTextTemplate('t').execute(text, data),
    text: 'You are {{.name}}, in mode {{.mode}}.\n{{.goal.text}}, done when {{.goal.done | print}}\n{{print .name " " .mode}}\n{{eq .mode "plan"}} {{not .planning}}\n'.repeat(
      8,
    ),
  },
  {
    name: '@ctrl/golang-template 2.0.1',
    compile: (text) => {
      const template = ctrl(text);
      return (data) => template.render(data);
    },
    text: 'You are {{.name}}.\n{{if .planning}}Read only.{{else}}Write.{{end}}\n{{range .tools}}- {{.name}}: {{.about}}{{if .safe}} (safe){{end}}\n{{end}}{{with .goal}}{{.text}}{{end}}\n',
  },
];

for (const { name, compile, text } of PORTS) {
  const theirs = compile(text);
  const template = parseTemplate({ name: 't', text });
  if (!template.ok) throw new Error(template.error.message);
  for (const data of [0, 1, 7].map(fresh)) {
    if (theirs(data) !== ours(text, data)) throw new Error(`the outputs of ${name} and of ours differ`);
  }
  const times = await measure({
    fresh,
    contenders: [
      { name: `${name}, parse and render`, run: (data) => compile(text)(data) },
      { name: `${name}, parsed once`, run: theirs },
      { name: 'cuebook, parse and render, with spans', run: (data) => ours(text, data) },
      { name: 'cuebook, parsed once, with spans', run: (data) => rendered(template.value.render(data)) },
    ],
    calls: 400,
  });
  print(`\n${ours(text, fresh(0)).length} characters in the part of the language that ${name} knows`, times);
}

/** A recorded answer of Go whose template needs no function of ours. */
interface Recorded {
  readonly tmpl: string;
  readonly ctx?: Row;
  readonly data?: Row;
  readonly missingkey?: string;
  readonly expect: { readonly ok: boolean; readonly out?: string };
}

const corpus = readFileSync(join(process.cwd(), 'packages/template/test/go-corpus.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)
  .filter(
    ({ tmpl, expect, missingkey = 'default' }) =>
      expect.ok && missingkey === 'default' && !tmpl.includes('include'),
  );
console.log(`\nof ${corpus.length} recorded templates that Go renders, the same bytes come from`);
for (const { name, compile } of PORTS) {
  const same = corpus.filter(({ tmpl, ctx, data, expect }) => {
    try {
      return compile(tmpl)(ctx ?? data ?? {}) === expect.out;
    } catch {
      return false;
    }
  }).length;
  console.log(`  ${name.padEnd(44)} ${same}  ${((same / corpus.length) * 100).toFixed(1)} %`);
}
console.log('  cuebook: all of them, shown by the test go-corpus');
