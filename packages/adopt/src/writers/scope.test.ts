import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { exportOf } from '../../test/exported.js';
import { adopt } from '../../test/render.js';
import { readerOf } from '../readers.js';
import { writerOf } from '../writers.js';

// When a tool reads a rule, told from its file by what the tool documents, and by nothing of ours.

const field = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'm')
    .exec(text)?.[1]
    ?.trim()
    .replace(/^["']|["']$/g, '');
const filled = (text: string | undefined): string => (text === undefined ? '' : text);

const TOOLS = {
  claude: {
    path: '.claude/rules/x.md',
    meaning: (text: string): string => {
      const list = [...text.matchAll(/^ +- *"?([^"\n]+)"?$/gm)].map(([, each]) => each).join(',');
      return list === '' ? 'always' : list;
    },
  },
  copilot: {
    path: '.github/instructions/x.instructions.md',
    meaning: (text: string): string => {
      const globs = filled(field(text, 'applyTo'));
      return globs === '' ? 'asked' : /^\*\*(\/\*)?$/.test(globs) ? 'always' : globs;
    },
  },
  cursor: {
    path: '.cursor/rules/x.mdc',
    meaning: (text: string): string => {
      const globs = filled(field(text, 'globs'));
      return field(text, 'alwaysApply') === 'true' ? 'always' : globs === '' ? 'asked' : globs;
    },
  },
} as const;
type Tool = keyof typeof TOOLS;

const globs = fc.uniqueArray(
  fc.constantFrom('src/**/*.ts', '**/*.{ts,tsx}', '*.md', 'docs/**', 'a b/*.py', '**/[ab].c'),
  { minLength: 1, maxLength: 3 },
);
const title = fc.option(fc.constantFrom('Style', 'Use with care'), { nil: undefined });

/** A file of each tool, in every way of saying when it is read. */
const file = fc
  .tuple(fc.constantFrom<Tool>('claude', 'copilot', 'cursor'), globs, title, fc.nat(3))
  .map(([tool, list, about, way]): { readonly tool: Tool; readonly text: string } => {
    const own = about === undefined ? '' : `description: ${about}\n`;
    const said = {
      claude: way === 0 ? '' : `paths:\n${list.map((each) => `  - "${each}"\n`).join('')}`,
      copilot: ['', 'applyTo: "**"\n'][way] ?? `applyTo: "${list.join(',')}"\n`,
      cursor:
        ['alwaysApply: true\n', 'globs:\nalwaysApply: false\n'][way] ??
        `globs: ${list.join(',')}\nalwaysApply: false\n`,
    }[tool];
    return { tool, text: own + said === '' ? 'Be kind.\n' : `---\n${own}${said}---\nBe kind.\n` };
  });

describe('a rule that moves to another tool is read when it was, or is told of', () => {
  it.each(['copilot', 'cursor'] as const)('to %s', (to) => {
    fc.assert(
      fc.property(file, ({ tool, text }) => {
        const reader = readerOf(tool);
        if (reader === undefined) throw new Error(tool);
        const { file: made, diagnostics = [] } =
          writerOf(to)?.write(exportOf(adopt(reader, TOOLS[tool].path, text))) ?? {};
        const isTold = diagnostics.some(({ code }) => code === 'W_EXPORT_LOST');
        const [before, after] = [TOOLS[tool].meaning(text), TOOLS[to].meaning(made?.text ?? '')];
        if (!isTold) expect(after, made?.text).toBe(before);
        // What decides it is never told away: only who asks for a rule differs between tools.
        if (isTold) expect([before, after]).toEqual(['asked', 'asked']);
        if (tool === to) expect(made?.text.replace(/["']/g, '')).toContain('Be kind.\n');
      }),
      runs(500, 5000),
    );
  });

  it.each(['claude', 'agents-md'])('to %s, which has no fields: a narrower rule is told of', (to) => {
    fc.assert(
      fc.property(file, ({ tool, text }) => {
        const reader = readerOf(tool);
        if (reader === undefined) throw new Error(tool);
        const { diagnostics = [] } =
          writerOf(to)?.write(exportOf(adopt(reader, TOOLS[tool].path, text))) ?? {};
        const told = diagnostics.filter(
          ({ code, severity }) => code === 'W_EXPORT_LOST' && severity !== 'info',
        );
        const isNarrower = TOOLS[tool].meaning(text) !== 'always';
        const kept = exportOf(adopt(reader, TOOLS[tool].path, text)).meta.frontmatter;
        expect(told.some(({ message }) => message.includes('read always'))).toBe(isNarrower);
        expect(told.length > 0).toBe(isNarrower || Object.keys(kept ?? {}).length > 0);
      }),
      runs(500, 5000),
    );
  });

  it.each([
    ['cursor', '.cursor/rules/x.mdc', '---\ndescription:\nglobs:\nalwaysApply: true\n---\nBe kind.\n'],
    ['copilot', '.github/instructions/x.instructions.md', '---\napplyTo: "**/*.ts"\n---\nBe kind.\n'],
  ])('a rule of %s without a description comes back byte for byte', (tool, path, text) => {
    const reader = readerOf(tool);
    if (reader === undefined) throw new Error(tool);
    expect(writerOf(tool)?.write(exportOf(adopt(reader, path, text))).file?.text).toBe(text);
  });
});
