import type { JournalError } from '../error.js';

/** Why a receipt could not be written or read, as data. */
export type ReceiptError =
  | JournalError
  /** The run has no such turn. */
  | { readonly code: 'E_TURN_UNKNOWN'; readonly run: string; readonly turn: string }
  /** The run has a turn of that id, recorded by another command. */
  | { readonly code: 'E_TURN_EXISTS'; readonly run: string; readonly turn: string }
  /** It has ended: nothing more can be said in it. */
  | { readonly code: 'E_TURN_ENDED'; readonly run: string; readonly turn: string }
  /** A hash of the prompt is not the sha256 of its text. `block` is `''` for the whole prompt. */
  | { readonly code: 'E_TURN_HASH'; readonly run: string; readonly turn: string; readonly block: string }
  /** The record of the turn does not hold together. */
  | { readonly code: 'E_TURN_BROKEN'; readonly run: string; readonly turn: string; readonly what: string }
  /** Content that the turn needs was deleted on request. */
  | { readonly code: 'E_TURN_FORGOTTEN'; readonly run: string; readonly turn: string; readonly what: string };

/** An error of receipts alone. */
export type ReceiptFault = Exclude<ReceiptError, JournalError>;

/** One sentence for people and agents. It holds no text of a prompt. */
export function describeTurnError(error: ReceiptFault): string {
  switch (error.code) {
    case 'E_TURN_UNKNOWN':
      return `${error.run} has no turn ${error.turn}.`;
    case 'E_TURN_EXISTS':
      return `${error.run} has a turn ${error.turn} already: record a new turn under an id of its own.`;
    case 'E_TURN_ENDED':
      return `Turn ${error.turn} of ${error.run} has ended: record a new turn under an id of its own.`;
    case 'E_TURN_HASH':
      return `The hash of ${error.block === '' ? 'the prompt' : `block ${error.block}`} of turn ${error.turn} is not the sha256 of its text: compose with a sha256 digest, and record what was composed.`;
    case 'E_TURN_BROKEN':
      return `Turn ${error.turn} of ${error.run} cannot be rebuilt: ${error.what}.`;
    case 'E_TURN_FORGOTTEN':
      return `Turn ${error.turn} of ${error.run} cannot be rebuilt whole: ${error.what}.`;
  }
}
