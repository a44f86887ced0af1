import type { FileError, Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import {
  DEFAULT_OBJECT_LIMIT,
  isObjectKey,
  isObjectPrefix,
  type KeyPage,
  keyProblem,
  type ListKeys,
  MAX_LIST,
  type ObjectError,
  type Objects,
} from './contract.js';

/** Objects in a folder, a file each. Writes are atomic and durable: a reader sees an old object or a new one. */
export function folderObjects(files: Files): Objects {
  const folders = new Set<string>();
  return {
    async get(key, { limit = DEFAULT_OBJECT_LIMIT } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const bytes = await files.readBytes(key, { limit });
      return bytes.ok ? bytes : fail(objectError(key, bytes.error));
    },
    async put(key, bytes, { ifAbsent = false } = {}) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const folder = key.slice(0, Math.max(0, key.lastIndexOf('/')));
      if (folder !== '' && !folders.has(folder)) {
        const made = await files.makeDirectory(folder);
        if (!made.ok) return fail(objectError(key, made.error));
        folders.add(folder);
      }
      const once = guard('objects.create-once', ifAbsent);
      const written = await files.writeBytes(key, bytes, once ? { ifMatch: 'absent' } : {});
      return written.ok ? ok(undefined) : fail(objectError(key, written.error));
    },
    async putAll(objects) {
      for (const { key } of objects) {
        const problem = keyProblem(key);
        if (problem !== undefined) return fail(problem);
      }
      const written = await files.writeAll(objects.map(({ key, bytes }) => ({ path: key, bytes })));
      return written.ok ? ok(undefined) : fail(objectError(objects[0]?.key ?? '', written.error));
    },
    list: (prefix, options = {}) => list(files, prefix, options),
    async remove(key) {
      const problem = keyProblem(key);
      if (problem !== undefined) return fail(problem);
      const removed = await files.remove(key);
      return removed.ok || removed.error.code === 'E_FILE_NOT_FOUND'
        ? ok(undefined)
        : fail(objectError(key, removed.error));
    },
  };
}

async function list(files: Files, prefix: string, options: ListKeys): Promise<Result<KeyPage, ObjectError>> {
  const problem = keyProblem(prefix, isObjectPrefix(prefix));
  if (problem !== undefined) return fail(problem);
  const { after = '', limit = MAX_LIST } = options;
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_LIST);
  const folder = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')));
  const keys: string[] = [];
  for await (const path of files.walk(folder === '' ? undefined : folder, { ignore: [] })) {
    if (!path.ok) {
      if (path.error.code === 'E_FILE_NOT_FOUND') break;
      return fail(objectError(prefix, path.error));
    }
    if (path.value.startsWith(prefix) && path.value > after && isObjectKey(path.value)) keys.push(path.value);
  }
  keys.sort();
  const page = keys.slice(0, size);
  return ok({ keys: page, next: keys.length > size ? page.at(-1) : undefined });
}

function objectError(key: string, error: FileError): ObjectError {
  const reason = REASONS[error.code] ?? 'unavailable';
  return { code: 'E_OBJECT', reason, key, detail: error.code };
}

const REASONS: Readonly<Partial<Record<string, ObjectError['reason']>>> = {
  E_FILE_NOT_FOUND: 'not-found',
  E_FILE_CHANGED: 'exists',
  E_FILE_TOO_LARGE: 'too-large',
  E_FILE_DENIED: 'denied',
};
