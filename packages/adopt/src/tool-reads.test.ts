import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { filesOfTool, READING_TOOLS, whyUnread } from './tool-reads.js';

const PATHS = [...new Set(READING_TOOLS.flatMap(filesOfTool)), '.cursor/rules/a.mdc', 'docs/x.md'];

const NONE = { text: 'x', isThere: () => false };

it.each([
  ['claude', 'AGENTS.md', /does not read AGENTS\.md: it reads CLAUDE\.md.*--to claude/],
  ['codex', 'CLAUDE.md', /--to agents-md$/],
  ['claude', '.claude/agents/a.md', undefined],
  ['codex', 'AGENTS.md', undefined],
  ['cursor', '.cursor/rules/a.mdc', undefined],
  ['gemini', 'AGENTS.md', /does not read/],
  ['opencode', 'CLAUDE.md', undefined],
] as const)('%s and %s', (tool, path, why) => {
  const said = whyUnread(tool, { ...NONE, path });
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(why);
});

it('a tool that reads the first of several reads exactly one of those that are there', () => {
  fc.assert(
    fc.property(fc.subarray(PATHS), (there) => {
      for (const tool of ['codex', 'opencode', 'zed']) {
        const isThere = (path: string): boolean => there.includes(path);
        const read = there.filter((path) => whyUnread(tool, { path, text: 'x', isThere }) === undefined);
        expect(read).toHaveLength(there.some((path) => filesOfTool(tool).includes(path)) ? 1 : 0);
      }
    }),
    runs(200, 2_000),
  );
});

it('Codex is said to cut a file at its bytes, however they are spread over characters', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 32_000, max: 34_000 }),
      fc.constantFrom('a', 'ä', '漢', '🦔'),
      (size, letter) => {
        const text = letter.repeat(Math.ceil(size / Buffer.byteLength(letter)));
        const isCut = Buffer.byteLength(text) > 32_768;
        expect(whyUnread('codex', { ...NONE, path: 'AGENTS.md', text }) !== undefined).toBe(isCut);
      },
    ),
    runs(100, 1_000),
  );
});
