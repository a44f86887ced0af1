import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { exportOf } from '../../test/exported.js';
import { adopt } from '../../test/render.js';
import { readerOf } from '../readers.js';
import { writerOf } from '../writers.js';

const folder = fc.constantFrom('', 'packages/api/', 'a b/');
const inside = fc.constantFrom('', 'review/', 'a/b/');
const FIELDS = '---\nname: x\ndescription: d\n---\nBe kind.\n';

/** A place of each tool, for a file that may lie in a folder of the repository and of the tool. */
const PLACES = [
  {
    to: 'claude-agent',
    from: 'claude',
    path: (at: string, below: string) => `${at}.claude/agents/${below}x1.md`,
    text: FIELDS,
  },
  { to: 'skill', from: 'skill', path: (at: string) => `${at}.agents/skills/x/SKILL.md`, text: FIELDS },
  {
    ...{ to: 'copilot', from: 'copilot', text: '---\napplyTo: "**"\n---\nBe kind.\n' },
    path: (at: string, below: string) => `${at}.github/instructions/${below}x.instructions.md`,
  },
  {
    ...{ to: 'cursor', from: 'cursor', text: '---\nalwaysApply: true\n---\nBe kind.\n' },
    path: (at: string, below: string) => `${at}.cursor/rules/${below}x.mdc`,
  },
  {
    ...{ to: 'gemini-command', from: 'gemini', text: 'prompt = "Be kind."\n' },
    path: (at: string, below: string) => `${at}.gemini/commands/${below}x.toml`,
  },
];

const written = (to: string, from: string, path: string, text: string, how = {}) => {
  const reader = readerOf(from);
  if (reader === undefined) throw new Error(from);
  return writerOf(to)?.write(exportOf(adopt(reader, path, text, how))).file;
};

describe('a file that was imported', () => {
  it.each(PLACES)(
    'is written again in its own place, so that the tool finds it once: $to',
    ({ to, from, path, text }) => {
      fc.assert(
        fc.property(folder, inside, (at, below) => {
          const place = path(at, below);
          expect(written(to, from, place, text)?.path).toBe(place);
        }),
        runs(30, 100),
      );
    },
  );

  it('loses no variable of its tool on the way back', () => {
    const text = `${FIELDS}Run ${'$'}{CLAUDE_SKILL_DIR}/x.\n`;
    const reader = readerOf('skill');
    if (reader === undefined) throw new Error('skill');
    const prompt = exportOf(adopt(reader, '.claude/skills/x/SKILL.md', text));
    const without = prompt.messages.map((message) =>
      'parts' in message ? { ...message, parts: message.parts.filter((part) => 'text' in part) } : message,
    );
    const absent = ['claude_skill_dir'];
    const refused = writerOf('skill')?.write({ ...prompt, messages: without, absent });
    expect(refused?.file).toBeUndefined();
    expect(refused?.diagnostics).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        message: expect.stringContaining('--set claude_skill_dir=VALUE'),
      }),
    );
    const set = prompt.messages.map((message) =>
      'parts' in message
        ? {
            ...message,
            parts: message.parts.map((part) =>
              'input' in part ? { text: `${'$'}{CLAUDE_SKILL_DIR}` } : part,
            ),
          }
        : message,
    );
    expect(writerOf('skill')?.write({ ...prompt, messages: set }).file?.text).toBe(text);
  });

  it.each(PLACES)('is another file under another name: $to', ({ to, from, path, text }) => {
    const place = path('', '');
    expect(written(to, from, place, text, { name: 'y' })?.path).not.toBe(place);
    // From elsewhere it goes where the tool looks.
    expect(written(to, from, place, text, { name: 'y' })?.path).toMatch(/^\.[a-z]+\//);
  });
});
