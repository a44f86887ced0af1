import { guard, guarded } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import { type Call, type Command, type Flags, flagsOf } from '../command.js';
import { usage } from '../failure.js';

/**
 * The call as it may be kept: names, and why something was done, stay on record as they were typed. A name that holds
 * a credential is refused, and a reason is kept without it.
 */
export async function keptCall(command: Command, call: Call): Promise<Call> {
  const flags: Record<string, Flags[string]> = { ...call.flags };
  for (const { name, value } of flagsOf(command)) {
    const typed = flags[name];
    const isName = NAMES.has(value ?? '') && command.name !== TAKES_ANY && !SIGNS_IN.has(name);
    if (typeof typed !== 'string' || !(isName || name === 'reason')) continue;
    const kept = (await credentialsAway())(typed);
    if (guard('call.name', isName && kept !== typed))
      throw usage(
        `--${name} takes ${value === 'URL' ? 'an address' : 'a name'}, and this one holds what looks like a credential`,
      );
    flags[name] = kept;
  }
  return { ...call, flags };
}

const NAMES: ReadonlySet<string> = new Set(['NAME', 'WHO', 'ROLE', 'URL']);
/** Addresses that may say who signs in: they are used, and neither kept nor shown. */
const SIGNS_IN: ReadonlySet<string> = new Set(['database', 'workspaces', 'source']);
/** Its names are what it removes. */
const TAKES_ANY = 'redact';

let known: Redactor | undefined;
/** What takes credentials out of a text: they are known by their form alone. */
export async function credentialsAway(): Promise<(text: string) => string> {
  const { createRedactor, withoutCredentials } = await import('@cuebook/prompt');
  known ??= createRedactor({ roots: [], private: [], names: [] });
  const redactor = known;
  return (text) => guarded('failure.credential', (said) => withoutCredentials(redactor, said), text);
}
