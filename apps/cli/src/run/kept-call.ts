import type { ScheduledCall } from '@cuebook/host';
import { type Call, flagValue, flagValues } from '../command.js';
import { usage } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';

/** How runs that begin later are called: what flags say of their input, their voice and their budget. */
export async function keptCall({ flags, io }: Call, target: string): Promise<ScheduledCall> {
  const [input, provider, model, script] = ['input', 'provider', 'model', 'script'].map((name) =>
    flagValue(flags, name),
  );
  const set = await settingsOf(flagValues(flags, 'set'), io.cwd);
  if (Object.keys(set).length > 0 && !target.startsWith('sheet:'))
    throw usage('--set names an input of a sheet; other targets take --input');
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
    ...(Object.keys(set).length === 0 ? {} : { options: { set } }),
    ...(limits.length === 0 ? {} : { budget: Object.fromEntries(limits) }),
  };
}

/** NAME=VALUE, or NAME=@FILE for the text of a file as it is now. */
async function settingsOf(pairs: readonly string[], cwd: string): Promise<Readonly<Record<string, string>>> {
  const entries = pairs.map(async (pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`--set takes NAME=VALUE, not "${pair}"`);
    const value = pair.slice(at + 1);
    return [
      pair.slice(0, at),
      value.startsWith('@') ? await readNamedFile(cwd, value.slice(1)) : value,
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
