import { type LargeFile, list } from './large-file.js';
import { MARKDOWN } from './markdown.js';

const FRONT: Readonly<Record<string, (n: number) => string>> = {
  keys: (n) => list(n, (i) => `k${i}: v\n`).join(''),
  list: (n) => `tools:\n${'  - Read\n'.repeat(n)}`,
  'text list': (n) => `tools: ${'Read, '.repeat(n)}\n`,
  colons: (n) => `description: ${'a: '.repeat(n)}\n`,
  'bad lines': (n) => 'description: a: b\n'.repeat(n),
  flow: (n) => `x: ${'['.repeat(n)}\n`,
  aliases: (n) => `a: &a [x]\nb:\n${'  - *a\n'.repeat(n)}`,
};
const MARKDOWN_FILES: readonly (readonly [reader: string, path: string, front: boolean])[] = [
  ['claude', 'CLAUDE.md', false],
  ['claude', '.claude/agents/a.md', true],
  ['claude', '.claude/commands/a.md', true],
  ['agents-md', 'AGENTS.md', false],
  ['gemini', 'GEMINI.md', false],
  ['copilot', '.github/copilot-instructions.md', false],
  ['copilot', '.github/prompts/a.prompt.md', true],
  ['copilot', '.github/instructions/a.instructions.md', true],
  ['cursor', '.cursor/rules/a.mdc', true],
  ['skill', '.agents/skills/a/SKILL.md', true],
];
/** Instruction files, with fields and without. */
export const INSTRUCTIONS: readonly LargeFile[] = MARKDOWN_FILES.flatMap(([reader, path, hasFront]) => [
  ...Object.entries(MARKDOWN).map(
    ([what, make]): LargeFile => ({
      reader,
      path,
      what: `${path}: ${what}`,
      text: (n) => `${hasFront ? '---\nname: a\ndescription: b\n---\n' : ''}${make(n)}`,
      files: (n) => ({
        'docs/a.md': 'words',
        ...(what === 'many imports' ? Object.fromEntries(list(n, (i) => [`docs/a${i}.md`, 'words'])) : {}),
      }),
    }),
  ),
  ...(hasFront
    ? Object.entries(FRONT).map(
        ([what, make]): LargeFile => ({
          reader,
          path,
          what: `${path}: fields: ${what}`,
          text: (n) => `---\nname: a\n${make(n)}---\nwords\n`,
        }),
      )
    : []),
]);
