import type { LabelGround } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { diagnosed } from '../failure.js';
import { revisionTexts } from '../git/source.js';
import type { Bench } from '../project/bench.js';

/** What the labels of a project are resolved with. A revision that cannot be read is a failure of the call. */
export const labelGround = ({ files, folder, hash }: Bench): LabelGround => ({
  files,
  hash,
  sourceAt: async (revision) => ({ ok: true, value: await revisionTexts(folder, revision) }),
});

type Diagnosed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** A value, or the failure of what it is made of. */
export function requireDiagnosed<Value>(result: Diagnosed<Value>): Value {
  if (!result.ok) throw diagnosed(result.diagnostics);
  return result.value;
}
