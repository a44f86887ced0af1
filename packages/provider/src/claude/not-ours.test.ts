import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { afterAll, expect, it } from 'vitest';
import { findNotOurs } from './not-ours.js';

const folder = mkdtempSync(join(tmpdir(), 'cuebook-not-ours-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

it('names what an agent reads by itself, with hashes where it can be read', async () => {
  mkdirSync(join(folder, 'project/.claude/skills/deep'), { recursive: true });
  writeFileSync(join(folder, 'outside.md'), 'elsewhere');
  writeFileSync(join(folder, 'project/CLAUDE.md'), 'Be brief.');
  writeFileSync(join(folder, 'project/README.md'), 'not read by itself');
  writeFileSync(join(folder, 'project/.claude/skills/deep/SKILL.md'), 'A skill.');
  writeFileSync(join(folder, 'project/.mcp.json'), 'x'.repeat(2 << 20));
  symlinkSync('../outside.md', join(folder, 'project/AGENTS.md'));
  const files = await openFolder(join(folder, 'project'));
  if (!files.ok) throw new Error(files.error.code);
  expect(await findNotOurs(files.value)).toEqual([
    { path: '.claude/skills/deep/SKILL.md', hash: hashOf('A skill.'), bytes: 8 },
    { path: '.mcp.json' },
    { path: 'AGENTS.md' },
    { path: 'CLAUDE.md', hash: hashOf('Be brief.'), bytes: 9 },
  ]);
  expect(await findNotOurs(files.value, ['GEMINI.md'])).toEqual([]);
});
