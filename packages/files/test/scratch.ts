import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenOptions } from '../src/files.js';
import { describeFileError, type FileResult, type Files, openMounts } from '../src/index.js';

/** A root, a place outside it that no test may reach, and mounts: `@project` (rw) and `@pkg` (ro, same root). */
export interface Scratch {
  readonly top: string;
  readonly root: string;
  readonly outside: string;
  readonly files: Files;
}

export const SECRET = 'outside the root';

/** Both ways of working: through descriptors where the system can, and the portable way. */
export const WAYS: readonly (readonly [string, OpenOptions])[] = [
  ['anchored', {}],
  ['portable', { portable: true }],
];

export async function makeScratch(options: OpenOptions = {}): Promise<Scratch> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'files-test-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'root');
  const outside = join(top, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.md'), SECRET);
  const files = must(
    await openMounts(
      [
        { alias: '@project', root, access: 'rw', protect: ['logs', './audit/log.jsonl'] },
        { alias: '@pkg', root, access: 'ro' },
      ],
      options,
    ),
  );
  return { top, root, outside, files };
}

/** Writes a tree with plain system calls. */
export function plant(root: string, tree: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Everything below a folder, by relative path, for before and after. */
export function photograph(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    seen[path.slice(root.length + 1)] = entry.isFile() ? readFileSync(path, 'latin1') : '(no file)';
  }
  return seen;
}

export function must<Value>(result: FileResult<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${describeFileError(result.error)}`);
}

/** The error without its path, as `CODE` or `CODE reason`; `ok` for success. */
export function outcome(result: FileResult<unknown>): string {
  if (result.ok) return 'ok';
  return 'reason' in result.error ? `${result.error.code} ${result.error.reason}` : result.error.code;
}
