import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeAt, fixesFor, renameAt, renameTo } from '@cuebook/editor';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { inTurn, itInTurn, sampled } from '../../../../test/runs.js';
import { edited, type, typedProject } from '../../test/typed-project.js';
import { DEFINITIONS } from '../init/definitions.js';
import { TEMPLATE } from '../init/template.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const example = (path: string): string => readFileSync(join(ROOT, 'examples', path), 'utf8');

/** One of everything but definitions, which are run. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries({ ...WORKFLOW_TEMPLATE, ...TEMPLATE }).filter(([path]) => !path.startsWith('agents/')),
  ),
  'sheets/hello.yaml': `inputs:
  topic: { trust: operator, secrecy: public, volatility: turn, example: tests }
blocks:
  - name: 😀
    role: system
    parts:
      - { text: "😀 ", }
      - template: "{{if .topic}}About {{$.topic}}: {{include \\"tone\\"}}{{end}}"
`.replace('name: 😀', 'name: hello'),
  'team.yaml': `nodes:
  - { alias: lead, role: orchestrator }
  - { alias: dev, role: builder }
edges:
  - { from: lead, to: dev }
`,
  'docs/templates/builder.md':
    '[template]\nname = "builder"\nversion = "1"\ncapabilities = ["write_code"]\n\nYou build.\n',
  'manifests/agents.yaml': example('manifests/agents.yaml'),
  'manifests/prompts.yaml': example('manifests/prompts.yaml'),
};

/** Every name in the files that can be renamed, once for each place. */
async function places() {
  const project = typedProject(FILES);
  const index = await project.names();
  const found = [];
  for (const file of index.files()) {
    for (const name of index.of(file)) {
      if (name.isFile === true) continue;
      if ((await renameAt(project, file, name.range.start)) !== undefined) found.push(name);
    }
  }
  return found;
}

const at = (files: Readonly<Record<string, string>>, file: string, words: string) =>
  [file, (files[file] ?? '').indexOf(`'${words}'`) + 1] as const;

const codes = (project: ReturnType<typeof typedProject>): readonly string[] =>
  project
    .diagnostics()
    .map(({ code, message }) => `${code} ${message}`)
    .sort();

describe('names', () => {
  it('of every kind are found where they stand', async () => {
    const found = await places();
    const kinds = new Set(found.map(({ kinds: [kind] }) => kind));
    expect([...kinds].sort()).toEqual(['alias', 'fragment', 'input', 'role', 'speaker', 'step', 'text']);
    for (const { file, name, range } of found) {
      const written = FILES[file]?.slice(range.start, range.end);
      expect(name === written || name.endsWith(` ${written}`)).toBe(true);
    }
  });

  it('lead to their definition, wherever they are used', async () => {
    const project = typedProject(FILES);
    const index = await project.names();
    const lost = index.files().flatMap((file) =>
      index
        .of(file)
        .filter((use) => !use.isDefinition && index.definitions(use).length === 0)
        .map(({ name }) => name),
    );
    // The role that comes with Cuebook, and texts that no file of the project has.
    expect([...new Set(lost)].filter((name) => !/^orchestrator$|builtin-prompts/.test(name))).toEqual([]);
  });

  itInTurn('are renamed everywhere: the project is told the same of as before', async () => {
    const before = typedProject(FILES);
    await before.settle();
    const found = await places();
    for (const { file, range, kinds } of sampled(found, 6)) {
      const project = typedProject(FILES);
      const renamed = await renameTo(project, file, range.start, 'renamed');
      if (!renamed.ok) throw new Error(renamed.why);
      expect(renamed.edits.length, String(kinds)).toBeGreaterThan(0);
      const after = typedProject(edited(FILES, renamed.edits));
      await after.settle();
      expect(codes(after), `${kinds} in ${file}`).toEqual(codes(before));
    }
  });

  itInTurn('of definitions are renamed everywhere, with their files and tests', async () => {
    const clerk = `import { definePrompt } from '@cuebook/define';
export default definePrompt({
  variables: [{ name: 'manners', type: 'text', required: false, description: "A prompt's name" }],
  tools: ['count_lines', 'reviewer'],
  model: 'careful',
  prompt: [{ type: 'text', content: "name: 'reviewer', tools: ['count_lines']" }, { type: 'include', prompt: 'manners' }],
  name: 'clerk', // name: 'manners'
});
`;
    const files = {
      ...DEFINITIONS,
      'agents/prompts/clerk.ts': clerk,
      'tests/desk.test.yaml': 'target: agent:desk\ncases: []\n',
    };
    const before = typedProject(files);
    await before.settle();
    const index = await before.names();
    const found = index
      .files()
      .flatMap((file) => index.of(file))
      .filter(({ isFile }) => isFile !== true);
    const kinds = found.filter(({ isDefinition }) => isDefinition).map(({ kinds: [kind] }) => kind);
    expect([...new Set(kinds)].sort()).toEqual(['agent', 'hook', 'model', 'prompt']);
    expect(found.filter(({ file }) => file.endsWith('clerk.ts')).map(({ name }) => name)).toEqual([
      'count_lines',
      'reviewer',
      'careful',
      'manners',
      'clerk',
    ]);
    for (const { file, range, name } of sampled(found, 2)) {
      const renamed = await renameTo(before, file, range.start, 'renamed');
      if (!renamed.ok) throw new Error(`${name} in ${file}: ${renamed.why}`);
      const made = edited(files, renamed.edits);
      const after = typedProject(made);
      await after.settle();
      const told = codes(before).map((each) => each.replaceAll(`"${name}"`, '"renamed"'));
      expect(codes(after), `${name} in ${file}`).toEqual(told.sort());
      // Words and variables that are spelled like a name stay as they are.
      for (const words of [
        "name: 'manners', type",
        `name: 'reviewer', tools: ['count_lines']"`,
        "// name: 'manners'",
      ])
        expect(Object.values(made).join('\n')).toContain(words);
    }
    const { edits } = (await renameTo(
      before,
      ...at(files, 'agents/agents/desk.ts', 'reviewer'),
      'judge',
    )) as {
      edits: readonly { kind: string; to?: string }[];
    };
    expect(edits.flatMap(({ to }) => to ?? []).sort()).toEqual([
      'agents/prompts/judge.test.yaml',
      'agents/prompts/judge.ts',
    ]);
    // Tools, prompts and agents are called by one kind of name.
    for (const [file, words, taken] of [
      ['agents/agents/desk.ts', 'reviewer', 'count_lines'],
      ['agents/agents/desk.ts', 'reviewer', 'clerk'],
      ['agents/agents/desk.ts', 'desk', 'manners'],
    ] as const)
      expect(await renameTo(before, ...at(files, file, words), taken)).toMatchObject({ ok: false });
  });

  it('that are taken, or are no names, are refused', async () => {
    const project = typedProject(FILES);
    const place = (file: string, words: string) => [file, (FILES[file] ?? '').indexOf(words)] as const;
    const why = async (file: string, offset: number, name: string) => {
      const renamed = await renameTo(project, file, offset, name);
      return renamed.ok ? '' : renamed.why;
    };
    expect(await why(...place('sheets/review.yaml', 'house-rules'), 'tone')).toContain('is there already');
    expect(await why(...place('sheets/review.yaml', 'house-rules'), '../tone')).toContain(
      'cannot be the name',
    );
    expect(await why(...place('team.yaml', 'orchestrator'), 'other')).toContain('defined nowhere');
    expect(await why(...place('README.md', 'Review'), 'other')).toContain('no name here');
  });
});

describe('fixes', () => {
  itInTurn('take away what a mistyped name brought, for names of every kind', async () => {
    const before = typedProject(FILES);
    await before.settle();
    const index = await before.names();
    const uses = (await places()).filter((use) => !use.isDefinition && index.definitions(use).length > 0);
    for (const { file, range, kinds } of sampled(uses, 5)) {
      const project = typedProject(FILES);
      const text = FILES[file] ?? '';
      type(project, file, `${text.slice(0, range.end - 1)}${text.slice(range.end)}`);
      await project.settle();
      const news = project
        .diagnostics()
        .filter(({ code, message }) => !codes(before).includes(`${code} ${message}`));
      const fixes = (await Promise.all(news.map((each) => fixesFor(project, each)))).flat();
      const typed = { ...FILES, [file]: project.buffers.get(file) ?? '' };
      const outcomes = [];
      for (const { edits } of fixes) {
        const after = typedProject(edited(typed, edits));
        await after.settle();
        outcomes.push(codes(after).join());
      }
      expect(outcomes, `${kinds} in ${file}: ${news.map(({ message }) => message).join()}`).toContain(
        codes(before).join(),
      );
    }
  });

  const SHEET = 'blocks:\r\n  - name: a\r\n    role: system\r\n    parts:\r\n      - input: who\r\n';
  it.each(
    inTurn(
      [
        ['E_SHEET_INPUT', { 'sheets/a.yaml': SHEET }, 'Declare the input "who", written by: operator'],
        [
          'E_INCLUDE_UNKNOWN',
          { 'sheets/a.yaml': 'blocks:\n  - { name: a, role: user, parts: [{ include: new }] }\n' },
          'Write texts/new.md',
        ],
        [
          'W_SHEET_INPUT_UNUSED',
          {
            'sheets/a.yaml':
              'inputs:\n  who: { trust: user, secrecy: public, volatility: turn }\nblocks:\n  - { name: a, role: user, parts: [{ text: Hi }] }\n',
          },
          'Remove the input "who"',
        ],
        [
          'E_TRUST_IN_SYSTEM',
          {
            'sheets/a.yaml': `inputs:\n  who: { trust: user, secrecy: public, volatility: turn }\n${SHEET.replaceAll('\r', '')}`,
          },
          'Make it a block of role user',
        ],
        [
          'W_FRONTMATTER',
          {
            'sheets/a.yaml': 'blocks:\n  - { name: a, role: user, parts: [{ include: t }] }\n',
            'texts/t.md': '---\ntitle: A\n---\nHi\n',
          },
          'Remove the frontmatter',
        ],
      ],
      4,
    ),
  )('%s is fixed', async (code, files: Readonly<Record<string, string>>, title) => {
    const project = typedProject(files);
    await project.settle();
    const found = project.diagnostics().find((each) => each.code === code);
    const fixes = found === undefined ? [] : await fixesFor(project, found);
    const fix = fixes.find((each) => each.title === title);
    expect(fixes.map((each) => each.title)).toContain(title);
    const after = typedProject(edited(files, fix?.edits ?? []));
    await after.settle();
    expect(after.diagnostics().map((each) => each.code)).not.toContain(code);
    expect(after.diagnostics().map((each) => each.code)).not.toContain('E_SHEET');
  });
});

describe('completion', () => {
  const AGENT = `import { defineAgent } from '@cuebook/define';\nexport default defineAgent({ name: 'desk', sideA: { prompt: '¦' } });\n`;
  it.each(
    inTurn(
      [
        ['a text', 'sheets/x.yaml', 'blocks:\n  - parts:\n      - include: ¦', ['house-rules', 'tone']],
        [
          'an input of a sheet',
          'sheets/review.yaml',
          `${TEMPLATE['sheets/review.yaml']}      - input: fo¦`,
          ['change', 'focus'],
        ],
        ['a label', 'sheets/x.yaml', 'inputs:\n  a: { trust: ¦', ['platform', 'external']],
        ['a role of a message', 'sheets/x.yaml', '    role: ¦', ['system', 'user']],
        ['a kind of part', 'sheets/x.yaml', 'blocks:\n  - parts:\n      - ¦', ['include: ', 'template: ']],
        [
          'a field of a template',
          'sheets/hello.yaml',
          `${FILES['sheets/hello.yaml']}      - template: "{{.¦`,
          ['topic'],
        ],
        ['a text in a template', 'sheets/x.yaml', 'a: {{include "¦', ['tone']],
        ['a function', 'sheets/x.yaml', 'a: {{pr¦', ['printf', 'range']],
        ['a variable of an Agent', 'manifests/x.yaml', 'systemMessage: "{{.¦', ['AgentName', 'ToolNames']],
        [
          'a fragment',
          'manifests/agents.yaml',
          (FILES['manifests/agents.yaml'] ?? '').replace('{{include "my-prompts/preamble"}}', '{{include "¦'),
          ['my-prompts/preamble', 'my-prompts/safety'],
        ],
        ['a role template', 'x.team.yaml', 'nodes:\n  - { alias: a, role: ¦', ['builder']],
        ['a node of a team', 'team.yaml', `${FILES['team.yaml']}  - { from: ¦`, ['lead', 'dev']],
        ['a step', 'workflows/request/x.graph.json', '{"edges":[{"from":"¦', ['intake', 'decide']],
        ['a speaker', 'workflows/request/x.graph.json', '{"nodes":[{"agentId":"¦', ['clerk', 'planner']],
        ['a definition', 'agents/agents/desk.ts', AGENT, ['manners', 'reviewer']],
        [
          'a placeholder',
          'scenarios/x.yaml',
          'placeholders:\n  - name: topic\ntemplate: "Talk of {¦',
          ['topic'],
        ],
        ['a target', 'cases.yaml', 'target: ¦', ['sheet:review', 'team:team.yaml']],
        ['a target in code', 'src/x.ts', "prompt('sheet:¦", ['sheet:review']],
      ],
      4,
    ),
  )('offers %s', async (_what, file, text, wanted) => {
    const definitions = Object.entries(TEMPLATE).filter(([path]) => /^agents\/prompts\//.test(path));
    const isCode = file.startsWith('agents/');
    const project = typedProject({ ...FILES, ...(isCode ? Object.fromEntries(definitions) : {}) });
    if (wanted.some((label) => label.includes(':') && !label.endsWith(' '))) await project.settle();
    const at = text.indexOf('¦');
    type(project, file, text.replace('¦', ''));
    const found = await completeAt(project, file, at);
    const labels = found?.items.map(({ label }) => label) ?? [];
    for (const label of wanted) expect(labels).toContain(label);
  });

  it('offers nothing in prose', async () => {
    const project = typedProject(FILES);
    type(project, 'texts/tone.md', 'Be kind: ');
    expect(await completeAt(project, 'texts/tone.md', 9)).toBeUndefined();
  });
});
