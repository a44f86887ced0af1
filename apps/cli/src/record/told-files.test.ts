import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTurn, itInTurn, SEED, sampled } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

type Edit = (line: string, token: string) => string;

const indentOf = (line: string): string => /^[ -]*/.exec(line)?.[0].replaceAll('-', ' ') ?? '';
/** Where a credential may stand in a file of YAML: each makes the file wrong, or names something that is not there. */
const IN_YAML: Readonly<Record<string, Edit>> = {
  key: (line, token) => line.replace(/^([ -]*)[\w.-]+:/, `$1${token}:`),
  value: (line, token) => line.replace(/:.*$/, `: ${token}`),
  'a list that is not closed': (line, token) => line.replace(/:.*$/, `: [${token}`),
  'an unknown key': (line, token) => `${indentOf(line)}${token}: 1\n${line}`,
  'a key that stands twice': (line, token) =>
    `${indentOf(line)}${token}: 1\n${indentOf(line)}${token}: 1\n${line}`,
  alias: (line, token) => line.replace(/:.*$/, `: *${token}`),
  tag: (line, token) => line.replace(/:.*$/, `: !${token} x`),
  'a bare line': (line, token) => `${line}\n${token}`,
  'a text that is not closed': (line, token) => line.replace(/:.*$/, `: "${token}`),
  template: (line, token) => line.replace(/:.*$/, `: "{{ ${token} }} {{${token}}}"`),
  path: (line, token) => line.replace(/:.*$/, `: ../${token}/x.yaml`),
  'a path of a home': (line, token) => line.replace(/:.*$/, `: /home/kim/${token}.yaml`),
  address: (line, token) => line.replace(/:.*$/, `: https://kim:${token}@example.com/x`),
};
const IN_CODE: Readonly<Record<string, Edit>> = {
  'an error that is thrown': (line, token) => `throw new Error('${token}');\n${line}`,
  'a value that is thrown': (line, token) => `throw { message: '${token}' };\n${line}`,
  import: (line, token) => `import x from './${token}.js';\n${line}`,
  package: (line, token) => `import x from '${token}';\n${line}`,
  syntax: (line, token) => `const x = '${token}' oops;\n${line}`,
  text: (line, token) => line.replace(/'[^']*'/, `'${token}'`),
  property: (line, token) => line.replace(/\b([a-z]\w+):/, `'${token}':`),
  'JSON that is none': (line, token) => `JSON.parse('{${token}');\n${line}`,
  print: (line, token) => `console.log('${token}');\n${line}`,
};

interface Case {
  readonly path: string;
  readonly how: string;
  readonly files: (token: string) => Readonly<Record<string, string>>;
}

const sources = Object.keys(TEMPLATE).filter(
  (path) => /\.(?:yaml|ts)$/.test(path) && !path.includes('/types/'),
);

/** Every line of every file of a new project with a credential put there in every way, and every file called by one. */
const CASES: readonly Case[] = sources.flatMap((path): readonly Case[] => {
  const { [path]: text = '', ...others } = TEMPLATE;
  const named = (token: string): string => path.replace(/[^/]+(\.\w+)$/, `${token}$1`);
  const lines = text.split('\n');
  const edits = Object.entries(path.endsWith('.ts') ? IN_CODE : IN_YAML);
  return [
    { path, how: 'its name', files: (token) => ({ ...others, [named(token)]: `${text}\n: [` }) },
    ...lines.flatMap((line, at) =>
      edits.map(([how, edit]) => ({
        path,
        how: `${how} at ${at + 1}`,
        files: (token: string) => ({
          ...others,
          [path]: lines.with(at, edit(line, token)).join('\n'),
        }),
      })),
    ),
  ];
});

const CHECKS: readonly (readonly string[])[] = [['check'], ['check', '--json'], ['check', '--sarif']];

interface Look {
  readonly args: readonly string[];
  /** Projects with a word at a place that this command tells. */
  readonly telling: readonly ((word: string) => Readonly<Record<string, string>>)[];
}

/** The project of `init` with one text of one file changed. */
const edited =
  (path: string, from: string, to: (word: string) => string) =>
  (word: string): Readonly<Record<string, string>> => {
    const text = TEMPLATE[path] ?? '';
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    return { ...TEMPLATE, [path]: text.replace(from, () => to(word)) };
  };
const withSheet = (name: string) => ({
  ...TEMPLATE,
  [`sheets/${name}.yaml`]: TEMPLATE['sheets/triage.yaml'] ?? '',
});
const REVIEW = 'sheets/review.yaml';
const REVIEWER = 'agents/prompts/reviewer.ts';
/** Told as a part of the request. */
const IN_BLOCK = edited(REVIEW, 'name: contract', (word) => `name: ${word}`);
const IN_TOOL = edited(REVIEW, 'name: read_file', (word) => `name: ${word}`);
const IN_SHEET = edited('sheets/triage.yaml', 'You sort reports', (word) => `You sort ${word}`);
const IN_MODEL = edited('agents/models/careful.ts', 'scripted-1', (word) => word);
/** Told as a problem. */
const AS_INPUT = edited(REVIEW, '  focus:\n    trust', (word) => `  ${word}:\n    trust`);
const AS_INPUT_TOO = edited('sheets/triage.yaml', '  report:\n    trust', (word) => `  ${word}:\n    trust`);
const AS_ERROR = edited(REVIEWER, 'export', (word) => `throw new Error('${word}');\nexport`);

const LOOKS: readonly Look[] = [
  { args: ['render', 'sheet:review', '--json'], telling: [IN_BLOCK] },
  { args: ['render', 'sheet:triage'], telling: [IN_SHEET, AS_INPUT_TOO] },
  { args: ['render', 'prompt:reviewer', '--json'], telling: [IN_MODEL, AS_ERROR] },
  { args: ['run', 'sheet:review'], telling: [AS_INPUT] },
  { args: ['run', 'prompt:reviewer', '--input', 'Look.', '--json'], telling: [AS_ERROR] },
  { args: ['explain', 'sheet:review', '--at', '1:1', '--json'], telling: [IN_BLOCK] },
  {
    args: ['export', 'sheet:review', '--to', 'openai-messages', '--set', 'change=x'],
    telling: [IN_TOOL, AS_INPUT],
  },
  { args: ['census'], telling: [withSheet] },
  { args: ['types', '--json'], telling: [withSheet] },
  {
    args: ['test'],
    telling: [edited('agents/prompts/reviewer.test.yaml', 'asks for the place', (word) => word)],
  },
];

const ENV = { PATH: process.env.PATH, HOME: '/nonexistent' };
const toldBy = async (
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly all: string }> => {
  const { stdout, stderr } = await cuebook(args, { cwd: folderWith(files), env: ENV });
  return { stdout, all: stdout + stderr };
};

itInTurn.each(LOOKS.map((look) => [look.args.join(' '), look] as const))(
  '%s tells a word of a file, and no credential in its place',
  async (_name, { args, telling }) => {
    const [token = ''] = fc.sample(anyToken, { numRuns: 1, seed: SEED });
    for (const place of telling) {
      expect((await toldBy(args, place('heronry'))).all).toContain('heronry');
      const { all } = await toldBy(args, place(token));
      expect([all.includes(token), all.includes(token.slice(-12))]).toEqual([false, false]);
    }
  },
);

it('a credential that stands anywhere in a file of the project, or in its name, is in nothing that a command tells', async () => {
  const cases = inTurn(sampled(CASES, 6), 3);
  const tokens = fc.sample(anyToken, { numRuns: cases.length, seed: SEED });
  const leaks: string[] = [];
  for (const [index, { path, how, files }] of cases.entries()) {
    const token = tokens[index] ?? '';
    for (const args of [CHECKS[index % CHECKS.length], LOOKS[index % LOOKS.length]?.args]) {
      const { stdout, all } = await toldBy(args ?? [], files(token));
      if (all.includes(token) || all.includes(token.slice(-12)))
        leaks.push(`${path}, ${how}: ${args?.join(' ')}`);
      if (args?.includes('--json')) JSON.parse(stdout);
    }
  }
  expect(leaks).toEqual([]);
});
