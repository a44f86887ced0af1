import { createHash } from 'node:crypto';
import type { Files } from '@cuebook/files';

/** A file whose words an agent adds to ours by itself. */
export interface NotOurs {
  /** Where it is, from the folder that was looked at. */
  readonly path: string;
  /** `sha256:` and the hex digest of its bytes; left out when it could not be read. */
  readonly hash?: string;
  readonly bytes?: number;
}

/**
 * What Claude Code reads by itself below a project folder. Hooks and permission rules stand in its settings;
 * its own system prompt, the files of parent folders and what plugins bring are not seen from here.
 */
export const CLAUDE_NOT_OURS: readonly string[] = [
  ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', '.mcp.json'],
  ...['.claude/CLAUDE.md', '.claude/settings.json', '.claude/settings.local.json'],
  ...['.claude/agents/', '.claude/commands/', '.claude/rules/', '.claude/skills/', '.claude/output-styles/'],
];

/** Files past this are named without a hash. */
const MAX_BYTES = 1 << 20;
/** Of one folder this many at most: it is a note, not an inventory. */
const MAX_FILES = 200;

/**
 * Those of the names that are there, sorted, with their hashes. A name ending in `/` stands for all files below
 * that folder. The door decides what may be read: nothing outside of it is looked at.
 */
export async function findNotOurs(
  files: Files,
  names: readonly string[] = CLAUDE_NOT_OURS,
): Promise<readonly NotOurs[]> {
  const paths = await Promise.all(
    names.map((name) => (name.endsWith('/') ? below(files, name.slice(0, -1)) : [name])),
  );
  const found = await Promise.all([...new Set(paths.flat())].sort().map((path) => describe(files, path)));
  return found.filter((file) => file !== undefined);
}

async function below(files: Files, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const found of files.walk(folder, { limit: MAX_FILES })) if (found.ok) paths.push(found.value);
  return paths;
}

async function describe(files: Files, path: string): Promise<NotOurs | undefined> {
  const there = await files.exists(path);
  if (there.ok && !there.value) return undefined;
  const bytes = await files.readBytes(path, { limit: MAX_BYTES });
  // There, but not ours to read, too large, or leading elsewhere: its name is what we know.
  if (!bytes.ok) return { path };
  const hash = `sha256:${createHash('sha256').update(bytes.value).digest('hex')}`;
  return { path, hash, bytes: bytes.value.length };
}
