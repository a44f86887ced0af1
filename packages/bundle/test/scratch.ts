import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import type { Result } from '@cuebook/prompt';
import { onTestFinished } from 'vitest';
import type { ObjectError, Objects } from '../src/objects/contract.js';

/** A folder that is gone after the test. */
export async function scratch(): Promise<{ readonly root: string; readonly files: Files }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, files: must(await openFolder(root)) };
}

export function must<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}

/** Why it was refused, or `ok`. */
export function reasonOf(result: Result<unknown, { readonly code: string }>): string {
  if (result.ok) return 'ok';
  return 'reason' in result.error ? `${result.error.code} ${result.error.reason}` : result.error.code;
}

/** Objects in memory that an attacker can write to, with a count of what was read. */
export interface Store extends Objects {
  readonly all: Map<string, Buffer>;
  readonly reads: string[];
}

export function memoryStore(all = new Map<string, Buffer>()): Store {
  const reads: string[] = [];
  const missing = (key: string) => ({
    ok: false as const,
    error: { code: 'E_OBJECT', reason: 'not-found', key } satisfies ObjectError,
  });
  return {
    all,
    reads,
    async get(key, { limit = 1024 * 1024 } = {}) {
      reads.push(key);
      const bytes = all.get(key);
      if (bytes === undefined) return missing(key);
      if (bytes.length > limit) return { ok: false, error: { code: 'E_OBJECT', reason: 'too-large', key } };
      return { ok: true, value: bytes };
    },
    async put(key, bytes, { ifAbsent = false } = {}) {
      if (ifAbsent && all.has(key)) return { ok: false, error: { code: 'E_OBJECT', reason: 'exists', key } };
      all.set(key, Buffer.from(bytes));
      return { ok: true, value: undefined };
    },
    async list(prefix) {
      const keys = [...all.keys()].filter((key) => key.startsWith(prefix)).sort();
      return { ok: true, value: { keys, next: undefined } };
    },
    async remove(key) {
      all.delete(key);
      return { ok: true, value: undefined };
    },
  };
}
