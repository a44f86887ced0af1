import { guarded } from '@cuebook/guard';
import type { JournalError, RunId, Vault } from '@cuebook/journal';
import {
  createRedactor,
  fail,
  type JsonValue,
  mapStrings,
  ok,
  type Redactor,
  type Result,
} from '@cuebook/prompt';
import { isFound } from './clean-texts.js';
import { coverText, isPrivate, stringsOf } from './cover.js';
import { hasMark, idsIn, markOf, PLAIN_MARK, replaceMarks } from './mark.js';

/** Keeps credentials out of the log, for every kind of run. */
export interface Shield {
  /** The value as the log may keep it, and the blobs that must be stored with it. */
  seal<Value>(run: RunId, value: Value): Promise<Result<Sealed<Value>, JournalError>>;
  /** The value as an effect needs it. Undefined: a part of it was erased, or was sealed elsewhere. */
  open<Value>(run: RunId, value: Value): Promise<Value | undefined>;
  /** The value with masks that nobody can open. */
  hide<Value>(value: Value): Promise<Value>;
}

export interface Sealed<Value> {
  readonly value: Value;
  readonly blobs: readonly Uint8Array[];
}

/** The part of a vault that the engine uses. */
export type Seals = Pick<Vault, 'seal' | 'open'>;

/** What is looked for where nobody says what else is private: credentials by their form. */
export const FORMS_ONLY: Redactor = createRedactor({ roots: [], private: [], names: [] });

export function createShield(redactor: Redactor, vault: Seals): Shield {
  return {
    async seal(run, value) {
      const blobs = new Map<string, Uint8Array>();
      let failed: JournalError | undefined;
      const sealed = async (clear: string): Promise<string> => {
        const entry = await vault.seal(run, clear);
        if (!entry.ok) failed = entry.error;
        else if (entry.value.blob.length > 0) blobs.set(entry.value.id, entry.value.blob);
        return entry.ok ? markOf(entry.value.id) : PLAIN_MARK;
      };
      const covered = await guarded('seal.log', (clear) => cover(redactor, clear, sealed), value);
      return failed ? fail(failed) : ok({ value: covered, blobs: [...blobs.values()] });
    },
    async open(run, value) {
      if (!hasMark(value)) return value;
      const texts = new Map<string, string>();
      for (const id of new Set(stringsOf(value).flatMap(idsIn))) {
        const text = await vault.open(run, id);
        if (text === undefined) return undefined;
        texts.set(id, text);
      }
      return replaceMarks(value, (id) => texts.get(id) ?? markOf(id));
    },
    hide: (value) => hideCredentials(redactor, value),
  };
}

/** The value with masks that nobody can open. The value itself where it holds no credential. */
export const hideCredentials = <Value>(redactor: Redactor, value: Value): Promise<Value> =>
  cover(redactor, value, async () => PLAIN_MARK);

async function cover<Value>(
  redactor: Redactor,
  value: Value,
  instead: (clear: string) => Promise<string>,
): Promise<Value> {
  const found = stringsOf(value).filter((text) => isFound(redactor, text, isPrivate));
  if (found.length === 0) return value;
  const texts = new Map<string, string>();
  for (const text of found) texts.set(text, await coverText(redactor, text, instead));
  return mapStrings(value as JsonValue, (text) => texts.get(text) ?? text) as Value;
}
