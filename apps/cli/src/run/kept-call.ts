import type { ScheduledCall } from '@cuebook/host';
import { type Call, flagValue } from '../command.js';
import { usage } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';

/** How runs that begin later are called: what flags say of their input, their voice and their budget. */
export async function keptCall({ flags, io }: Call, target: string): Promise<ScheduledCall> {
  const [input, provider, model, script] = ['input', 'provider', 'model', 'script'].map((name) =>
    flagValue(flags, name),
  );
  const limits = (['turns', 'tokens', 'usd'] as const).flatMap((unit) => {
    const text = flagValue(flags, unit);
    if (text === undefined) return [];
    const fits = unit === 'usd' ? /^\d{1,9}(?:\.\d{1,6})?$/ : /^\d{1,12}$/;
    if (!fits.test(text) || Number(text) === 0) throw usage(`--${unit} takes a number above 0, not ${text}`);
    return [[unit, Number(text)] as const];
  });
  return {
    target,
    ...(input === undefined ? {} : { input }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { script: await readNamedFile(io.cwd, script) }),
    ...(limits.length === 0 ? {} : { budget: Object.fromEntries(limits) }),
  };
}
