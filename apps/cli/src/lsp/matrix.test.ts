import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cardAt,
  completeAt,
  fixesFor,
  notesOf,
  type OutlineItem,
  outlineOf,
  renameTo,
  trustRanges,
} from '@cuebook/editor';
import { describe, expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { type, typedProject } from '../../test/typed-project.js';
import { DEFINITIONS } from '../init/definitions.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const example = (path: string): string => readFileSync(join(ROOT, 'examples', path), 'utf8');

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(WORKFLOW_TEMPLATE).filter(([path]) => path.startsWith('workflows/'))),
  ...DEFINITIONS,
  'sheets/greet.yaml': `inputs:
  topic: { trust: operator, secrecy: public, volatility: turn, example: tests }
blocks:
  - name: rules
    role: system
    parts:
      - text: "Greet. "
      - include: tone
      - include: about
`,
  'texts/tone.md': '# Tone\n\nBe kind.\n\n## Never\n\nShout.\n',
  'texts/about.yaml': 'parts:\n  - text: "About "\n  - input: topic\n  - include: tone\n',
  'team.yaml': `nodes:
  - { alias: lead, role: builder }
  - { alias: dev, role: builder }
edges:
  - { from: lead, to: dev }
`,
  'docs/templates/builder.md':
    '[template]\nname = "builder"\nversion = "1"\ncapabilities = ["write_code"]\n\n# Work\n\nYou build.\n',
  'manifests/agents.yaml': example('manifests/agents.yaml'),
  'manifests/prompts.yaml': example('manifests/prompts.yaml'),
};

/** A place in a file: `¦` stands before it. What is written there is what the file has, unless `typed` is given. */
interface Asked {
  readonly file: string;
  /** Words of the file, with `¦` at the place; for completion, the whole text that is typed. */
  readonly at: string;
  /** What the answer holds. */
  readonly wants: string;
}
/** Why there is nothing to answer. */
type Cell = Asked | { readonly none: string };

const FEATURES = [
  'hover',
  'definition',
  'references',
  'rename',
  'inlay',
  'tokens',
  'outline',
  'completion',
  'fix',
] as const;
type Feature = (typeof FEATURES)[number];

const PROSE = { none: 'prose has no names' };
const graph = Object.keys(FILES).find((path) => /^workflows\/.+graph\.json$/.test(path)) ?? '';
const step =
  Object.keys(FILES).find((path) => /^workflows\/.+\.md$/.test(path) && /nodeId/.test(FILES[path] ?? '')) ??
  '';
const agents = 'manifests/agents.yaml';

const MATRIX: Readonly<Record<string, Readonly<Record<Feature, Cell>>>> = {
  sheet: {
    completion: { file: 'sheets/x.yaml', at: 'blocks:\n  - parts:\n      - include: ¦', wants: 'tone' },
    hover: { file: 'sheets/greet.yaml', at: 'include: ¦tone', wants: 'Be kind.' },
    definition: { file: 'sheets/greet.yaml', at: 'include: ¦about', wants: 'texts/about.yaml' },
    references: { file: 'sheets/greet.yaml', at: '¦topic: {', wants: 'texts/about.yaml' },
    rename: { file: 'sheets/greet.yaml', at: '¦topic: {', wants: 'texts/about.yaml' },
    fix: { file: 'sheets/greet.yaml', at: 'include: ton¦e', wants: 'Change to "tone"' },
    inlay: { file: 'sheets/greet.yaml', at: '', wants: 'tokens' },
    tokens: { file: 'sheets/greet.yaml', at: '', wants: 'author Greet. ' },
    outline: { file: 'sheets/greet.yaml', at: '', wants: 'topic > rules > Greet.  > tone > about' },
  },
  'text of parts': {
    completion: { file: 'texts/x.yaml', at: 'parts:\n  - include: ¦', wants: 'about' },
    hover: { file: 'texts/about.yaml', at: 'input: ¦topic', wants: 'tests' },
    definition: { file: 'texts/about.yaml', at: 'input: ¦topic', wants: 'sheets/greet.yaml' },
    references: { file: 'texts/about.yaml', at: 'include: ¦tone', wants: 'sheets/greet.yaml' },
    rename: { file: 'texts/about.yaml', at: 'include: ¦tone', wants: 'texts/renamed.md' },
    fix: { file: 'texts/about.yaml', at: 'include: ton¦e', wants: 'Change to "tone"' },
    inlay: { file: 'texts/about.yaml', at: '', wants: '1 prompt' },
    tokens: { file: 'texts/about.yaml', at: '', wants: 'operator topic' },
    outline: { file: 'texts/about.yaml', at: '', wants: 'About  > topic > tone' },
  },
  'text of words': {
    completion: PROSE,
    hover: { file: 'texts/tone.md', at: '¦Be kind', wants: 'sheet:greet' },
    definition: PROSE,
    references: { file: 'texts/tone.md', at: '¦Be kind', wants: 'sheets/greet.yaml' },
    rename: { file: 'texts/tone.md', at: '¦Be kind', wants: 'texts/renamed.md' },
    fix: { none: 'words are never misspelled names' },
    inlay: { file: 'texts/tone.md', at: '', wants: '1 prompt' },
    tokens: { file: 'texts/tone.md', at: '', wants: 'author Be kind.' },
    outline: { file: 'texts/tone.md', at: '', wants: 'Tone > Never' },
  },
  'role template': {
    completion: PROSE,
    hover: { file: 'docs/templates/builder.md', at: 'name = "¦builder', wants: 'role' },
    definition: {
      file: 'docs/templates/builder.md',
      at: 'name = "¦builder',
      wants: 'docs/templates/builder.md',
    },
    references: { file: 'docs/templates/builder.md', at: 'name = "¦builder', wants: 'team.yaml' },
    rename: { file: 'docs/templates/builder.md', at: 'name = "¦builder', wants: 'docs/templates/renamed.md' },
    fix: { file: 'docs/templates/builder.md', at: 'name = "builde¦r', wants: 'Change to "builder"' },
    inlay: { file: 'docs/templates/builder.md', at: '', wants: 'tokens' },
    tokens: { file: 'docs/templates/builder.md', at: '', wants: 'author You build.' },
    outline: { file: 'docs/templates/builder.md', at: '', wants: 'Work' },
  },
  team: {
    completion: { file: 'x.team.yaml', at: 'nodes:\n  - { alias: a, role: ¦', wants: 'builder' },
    hover: { file: 'team.yaml', at: 'alias: ¦lead', wants: 'alias' },
    definition: { file: 'team.yaml', at: 'alias: lead, role: ¦builder', wants: 'docs/templates/builder.md' },
    references: { file: 'team.yaml', at: 'alias: ¦dev', wants: 'team.yaml' },
    rename: { file: 'team.yaml', at: 'alias: ¦dev', wants: 'team.yaml' },
    fix: { file: 'team.yaml', at: 'to: de¦v', wants: 'Change to "dev"' },
    inlay: { file: 'team.yaml', at: '', wants: 'tokens' },
    tokens: { file: 'team.yaml', at: '', wants: 'platform { alias: lead' },
    outline: { file: 'team.yaml', at: '', wants: 'lead > dev > lead → dev' },
  },
  'workflow package': {
    completion: { file: 'workflows/request/x.graph.json', at: '{"edges":[{"from":"¦', wants: 'intake' },
    hover: { file: graph, at: '"id": "¦intake', wants: 'step' },
    definition: { file: graph, at: '"agentId": "¦', wants: 'workflows/request/' },
    references: { file: graph, at: '"id": "¦intake', wants: 'workflows/request/' },
    rename: { file: graph, at: '"id": "¦intake', wants: 'workflows/request/' },
    fix: { file: graph, at: '"from": "intak¦e', wants: 'Change to "intake"' },
    inlay: { file: graph, at: '', wants: '1 prompt' },
    tokens: { file: graph, at: '', wants: 'author intake' },
    outline: { file: graph, at: '', wants: 'intake' },
  },
  'workflow step': {
    completion: PROSE,
    hover: { file: step, at: 'nodeId: ¦', wants: 'step' },
    definition: { file: step, at: 'nodeId: ¦', wants: graph },
    references: { file: step, at: 'nodeId: ¦', wants: graph },
    rename: { file: step, at: 'nodeId: ¦', wants: graph },
    fix: { file: step, at: 'nodeId: ¦intake', wants: 'Change to "' },
    inlay: { file: step, at: '', wants: '1 prompt' },
    tokens: { none: 'a step is referenced, never told' },
    outline: { file: step, at: '', wants: ' ' },
  },
  manifest: {
    completion: { file: 'manifests/x.yaml', at: 'systemMessage: "{{.¦', wants: 'AgentName' },
    hover: { file: agents, at: 'my-prompts/¦preamble', wants: 'fragment' },
    definition: { file: agents, at: 'my-prompts/¦preamble', wants: 'manifests/prompts.yaml' },
    references: { file: agents, at: 'my-prompts/¦preamble', wants: 'manifests/prompts.yaml' },
    rename: { file: agents, at: 'my-prompts/¦preamble', wants: 'manifests/prompts.yaml' },
    fix: { file: agents, at: 'my-prompts/preambl¦e', wants: 'Change to "' },
    inlay: { file: agents, at: '', wants: 'token' },
    tokens: { file: 'manifests/prompts.yaml', at: '', wants: 'operator ' },
    outline: { file: 'manifests/prompts.yaml', at: '', wants: 'my-prompts > ' },
  },
  definition: {
    completion: {
      file: 'agents/agents/x.ts',
      at: "export default defineAgent({ name: 'x', sideA: { prompt: '¦",
      wants: 'reviewer',
    },
    hover: { file: 'agents/prompts/reviewer.ts', at: "prompt: '¦manners'", wants: 'prompt' },
    definition: {
      file: 'agents/agents/desk.ts',
      at: "prompt: '¦reviewer'",
      wants: 'agents/prompts/reviewer.ts',
    },
    references: {
      file: 'agents/prompts/reviewer.ts',
      at: "name: '¦reviewer'",
      wants: 'agents/agents/desk.ts',
    },
    rename: {
      file: 'agents/agents/desk.ts',
      at: "prompt: '¦reviewer'",
      wants: 'agents/prompts/renamed.test.yaml',
    },
    fix: { file: 'agents/agents/desk.ts', at: "prompt: 'reviewe¦r'", wants: 'Change to "reviewer"' },
    inlay: { file: 'agents/prompts/manners.ts', at: '', wants: 'token' },
    tokens: { file: 'agents/prompts/manners.ts', at: '', wants: 'author ' },
    outline: { file: 'agents/prompts/reviewer.ts', at: '', wants: 'reviewer > ' },
  },
};

type Project = ReturnType<typeof typedProject>;

const names = (items: readonly OutlineItem[]): readonly string[] =>
  items.flatMap(({ name, children }) => [name, ...names(children)]);

/** What a feature answers at a place, as one text; empty: nothing. */
const ANSWERS: Readonly<Record<Feature, (project: Project, file: string, at: number) => Promise<string>>> = {
  completion: async (project, file, at) =>
    (await completeAt(project, file, at))?.items.map(({ label }) => label).join('\n') ?? '',
  hover: async (project, file, at) => (await cardAt(project, file, at))?.markdown ?? '',
  definition: async (project, file, at) => {
    const index = await project.names();
    const name = index.at(file, at);
    return name === undefined
      ? ''
      : index
          .definitions(name)
          .map((each) => each.file)
          .join('\n');
  },
  references: async (project, file, at) => {
    const index = await project.names();
    const name = index.at(file, at) ?? index.of(file).find(({ isFile }) => isFile === true);
    return name === undefined
      ? ''
      : index
          .same(name)
          .map((each) => each.file)
          .join('\n');
  },
  rename: async (project, file, at) => {
    const renamed = await renameTo(project, file, at, 'renamed');
    if (!renamed.ok) return '';
    return renamed.edits.map((edit) => (edit.kind === 'move' ? edit.to : edit.file)).join('\n');
  },
  fix: async (project, file) => {
    await project.settle();
    const own = project.diagnostics().filter((each) => each.file === file);
    return (await Promise.all(own.map((each) => fixesFor(project, each))))
      .flat()
      .map(({ title }) => title)
      .join('\n');
  },
  inlay: async (project, file) => {
    await project.settle();
    return (await notesOf(project, file)).map(({ label }) => label).join('\n');
  },
  tokens: async (project, file) => {
    await project.settle();
    const text = (await project.text(file)) ?? '';
    return (await trustRanges(project, file))
      .map(({ range, trust }) => `${trust} ${text.slice(range.start, range.end)}`)
      .join('\n');
  },
  outline: async (project, file) => names(await outlineOf(project, file)).join(' > '),
};

/** The files of a kind: definitions are run, so they are there where they are asked about. */
const filesFor = (kind: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(FILES).filter(([path]) => kind === 'definition' || !path.startsWith('agents/')),
  );

/** What a cell answers: true, that it has nothing to say, or what it said in place of what it should. */
async function answerOf(project: Project, kind: string, feature: Feature): Promise<string> {
  const cell = (MATRIX[kind] as Readonly<Record<Feature, Cell>>)[feature];
  if ('none' in cell) {
    const cells: readonly Cell[] = Object.values(MATRIX[kind] ?? {});
    const file = cells.flatMap((each) => ('file' in each && each.file in FILES ? [each.file] : []))[0] ?? '';
    const said = await ANSWERS[feature](project, file, (FILES[file] ?? '').length - 1);
    return said === '' ? `nothing: ${cell.none}` : said;
  }
  const { file, at, wants } = cell;
  const [before = '', after = ''] = at.split('¦');
  const text = FILES[file] ?? '';
  // A letter less is a name that is almost right.
  const typed = feature === 'completion' ? at : text.replace(before + after, before + after.slice(1));
  if (feature === 'completion' || feature === 'fix') {
    if (feature === 'fix' && typed === text) return `${at} is not in ${file}`;
    type(project, file, feature === 'completion' ? before + after : typed);
  }
  const start = feature === 'completion' ? 0 : text.indexOf(before + after);
  const said =
    start === -1 ? `${at} is not in ${file}` : await ANSWERS[feature](project, file, start + before.length);
  if (feature === 'completion' || feature === 'fix') {
    project.buffers.remove(file);
    project.tell([{ path: file, isMove: true }]);
  }
  return said.includes(wants) && said !== '' ? wants : `not ${JSON.stringify(wants)}: ${said}`;
}

describe('the language server', () => {
  it.each(Object.keys(MATRIX))('answers every feature in a file of the kind: %s', async (kind) => {
    const project = typedProject(filesFor(kind));
    await project.settle();
    const said: Record<string, string> = {};
    for (const feature of FEATURES) said[feature] = await answerOf(project, kind, feature);
    const wanted = FEATURES.map((feature) => {
      const cell = (MATRIX[kind] as Readonly<Record<Feature, Cell>>)[feature];
      return [feature, 'none' in cell ? `nothing: ${cell.none}` : cell.wants];
    });
    expect(said).toEqual(Object.fromEntries(wanted));
  });
});
