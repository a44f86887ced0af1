import type { JournalError, RunId } from '@cuebook/journal';
import { fail, type Result } from '@cuebook/prompt';
import { stringsOf } from './cover.js';
import { idsIn, plain } from './mark.js';
import { createShield, FORMS_ONLY, type Sealed, type Seals } from './shield.js';

/** Keeps credentials out of what a project keeps beside its runs, in the log of one of its registers. */
export interface WordSeal {
  /** The words as the log may keep them, and the blobs that must be stored with them. Marks from outside name nothing. */
  seal<Words>(words: Words): Promise<Result<Sealed<Words>, JournalError>>;
  /** The words as a run needs them. Undefined: a part of them was erased, or was sealed elsewhere. */
  open<Words>(words: Words): Promise<Words | undefined>;
}

/** Without a vault, words without a credential are kept, and others are refused. */
export function createWordSeal(vault: Seals | undefined, register: RunId): WordSeal {
  const shield = createShield(FORMS_ONLY, vault ?? NO_VAULT);
  return {
    seal: (words) => shield.seal(register, plain(words)),
    open: (words) => shield.open(register, words),
  };
}

/** The entries of the vault that words refer to. */
export const sealedIn = (words: unknown): readonly string[] => stringsOf(words).flatMap(idsIn);

/** The words as people are shown them: a mask where something is sealed. */
export const maskedWords = plain;

const NO_VAULT: Seals = {
  seal: async () => fail({ code: 'E_JOURNAL_VAULT', reason: 'there is none' }),
  open: async () => undefined,
};
