import type { Diagnostic, Piece } from '@cuebook/prompt';

/** The system message that an Agent is given, or the first reason why it is given none. */
export type Resolved =
  | { readonly ok: true; readonly text: string; readonly pieces: readonly Piece[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic };
