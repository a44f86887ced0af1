import type { Diagnostic } from '@cuebook/prompt';

/** Why a server does not start. The message leaks nothing but an address of this machine. */
export interface StartError {
  readonly code: string;
  readonly message: string;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A failure as a value. */
export const cannotStart = (
  code: string,
  message: string,
): { readonly ok: false; readonly error: StartError } => ({ ok: false, error: { code, message } });
