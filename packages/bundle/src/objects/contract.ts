import { guard } from '@cuebook/guard';
import type { Result } from '@cuebook/prompt';

/** Objects by key, as an object store has them. Nothing throws or rejects for an expected failure. */
export interface Objects {
  /** The bytes. A missing object is `not-found`; a store may say `denied` of what is not there. */
  get(key: string, options?: { readonly limit?: number }): Promise<Result<Uint8Array, ObjectError>>;
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<Result<void, ObjectError>>;
  /**
   * Writes many, in no order: after a failure any of them may be there. Where it is missing, `put` does it one by one.
   */
  putAll?(objects: readonly NewObject[]): Promise<Result<void, ObjectError>>;
  /** The keys that begin with a prefix, sorted by code unit, after `after`, at most `limit`. */
  list(prefix: string, options?: ListKeys): Promise<Result<KeyPage, ObjectError>>;
  /** What is not there is removed already. */
  remove(key: string): Promise<Result<void, ObjectError>>;
}

/** An object of `putAll`. */
export interface NewObject extends Pick<PutOptions, 'isPublic'> {
  readonly key: string;
  readonly bytes: Uint8Array;
}

export interface PutOptions {
  /** Create-once: `exists` when there is an object. Of any number of writers at once exactly one succeeds. */
  readonly ifAbsent?: boolean;
  /**
   * Every admitted agent may read it. A store that enforces scopes by itself is told so; for one that does not, who
   * serves it decides.
   */
  readonly isPublic?: boolean;
}

export interface ListKeys {
  readonly after?: string;
  /** 1 to 1000; 1000 by default. */
  readonly limit?: number;
}

export interface KeyPage {
  readonly keys: readonly string[];
  /** Hand it in as `after` for what follows. Undefined on the last page. */
  readonly next: string | undefined;
}

/** `E_OBJECT`: why a store did not do it. `detail` is a code of the driver, never a path or an address. */
export interface ObjectError {
  readonly code: 'E_OBJECT';
  readonly reason: 'not-found' | 'exists' | 'denied' | 'too-large' | 'bad-key' | 'unavailable';
  readonly key: string;
  readonly detail?: string;
}

/** In bytes, for objects that are read without a limit of their own. */
export const DEFAULT_OBJECT_LIMIT = 1024 * 1024;
export const MAX_LIST = 1000;

/**
 * Keys are parts of lower-case letters, digits, dot, dash and underscore, joined by slashes, at most 512 long. No
 * part begins with a dot, and nothing in a key is a pattern: every store and every disk reads it alike.
 */
export const isObjectKey = (key: string): boolean =>
  key.length <= 512 && /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/.test(key);

/** Like a key, and may end with a slash or be empty. */
export const isObjectPrefix = (prefix: string): boolean =>
  prefix === '' || isObjectKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);

/** The problem of a key, for the beginning of every operation of every driver. */
export function keyProblem(key: string, isRight = isObjectKey(key)): ObjectError | undefined {
  return guard('objects.key', !isRight)
    ? { code: 'E_OBJECT', reason: 'bad-key', key: '(refused)' }
    : undefined;
}
