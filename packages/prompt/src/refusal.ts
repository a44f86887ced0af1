import type { RedactionKind } from './block.js';
import { describePlace, type Origin } from './origin.js';

/** Why a prompt must not be sent: the rule, the block, the span and its origin, never the text itself. */
export interface Refusal {
  readonly code:
    | 'E_SECRET_IN_PROMPT'
    | 'E_TRUST_IN_SYSTEM'
    | 'E_FORGED_STRUCTURE'
    | 'E_PROMPT_LEAK'
    | 'E_NOT_UNICODE'
    | 'E_DUPLICATE_BLOCK';
  readonly block: string;
  /** UTF-8 byte range in the block. */
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  /** What kind of thing leaks, for `E_PROMPT_LEAK`. */
  readonly kind?: RedactionKind;
}

/** The sentence for a refusal. */
export function describeRefusal(refusal: Refusal): string {
  const from = `block "${refusal.block}", bytes ${refusal.start} to ${refusal.end}, from ${refusal.origin.kind} ${describePlace(refusal.origin)}`;
  switch (refusal.code) {
    case 'E_SECRET_IN_PROMPT':
      return `A secret would reach the model: ${from}`;
    case 'E_TRUST_IN_SYSTEM':
      return `Text that is less trusted than the operator stands in a system-role block: ${from}`;
    case 'E_FORGED_STRUCTURE':
      return `Text that is less trusted than the operator forms a header, field, role marker or tool call: ${from}`;
    case 'E_PROMPT_LEAK':
      return `A known ${refusal.kind ?? 'secret'} would leak: ${from}`;
    case 'E_NOT_UNICODE':
      return `The text holds half a character (a lone surrogate): ${from}`;
    case 'E_DUPLICATE_BLOCK':
      return `Two blocks are called "${refusal.block}"`;
  }
}
