import type { ImportDraft, TrustChoice } from '@cuebook/adopt';
import { TRUSTS } from '@cuebook/prompt';
import { type Flags, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { type Io, isAtTerminal } from '../io.js';

/** Who can write the inputs: what `--trust` says. */
export function trustOf(flags: Flags): TrustChoice {
  const byName = new Map<string, string>();
  let all: string | undefined;
  for (const given of flagValues(flags, 'trust')) {
    const [left = '', right] = given.split('=');
    const level = right ?? left;
    if (!(TRUSTS as readonly string[]).includes(level))
      throw usage(`--trust wants one of ${TRUSTS.join(', ')}, or NAME=LEVEL; not "${given}"`);
    if (right === undefined) all = level;
    else byName.set(left, level);
  }
  return { ...(all === undefined ? {} : { all }), byName, systemToUser: isOn(flags, 'system-to-user') };
}

/** A person at a terminal is asked about inputs that no flag names; nobody else is. */
export async function askedTrust(choice: TrustChoice, adopted: ImportDraft, io: Io): Promise<TrustChoice> {
  if (choice.all !== undefined || !isAtTerminal(io)) return choice;
  const names = new Set(adopted.sheets.flatMap(({ inputs }) => [...inputs.keys()]));
  const byName = new Map(choice.byName);
  for (const name of names) {
    if (byName.has(name)) continue;
    const { select, isCancel } = await import('@clack/prompts');
    const level = await select({
      message: `Who can write the input ${JSON.stringify(name)}?`,
      options: TRUSTS.slice(2).map((value) => ({ value, label: value, hint: MEANINGS[value] ?? '' })),
    });
    if (isCancel(level))
      throw new Failure('E_IMPORT_TRUST', 'Nothing was imported: no trust was chosen', { exit: 1 });
    byName.set(name, level);
  }
  return { ...choice, byName };
}

const MEANINGS: Readonly<Record<string, string>> = {
  operator: 'people who run the system; stands in the text as it is',
  user: 'people who use it; fenced',
  agent: 'another agent; fenced',
  tool: 'results of tools; fenced',
  external: 'anybody: mail, web pages; fenced',
};
