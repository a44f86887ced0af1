import { type ImportDraft, inputUses, type TrustChoice } from '@cuebook/adopt';
import { TRUSTS } from '@cuebook/prompt';
import { shellWord } from '@cuebook/prompt/hint';
import { type Flags, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { type Io, isAtTerminal } from '../io.js';
import { screenText } from '../output/style.js';

/** Who can write the inputs: what `--trust` says. */
export function trustOf(flags: Flags): TrustChoice {
  const byName = new Map<string, string>();
  let all: string | undefined;
  for (const given of flagValues(flags, 'trust')) {
    const [left = '', right] = given.split('=');
    const level = right ?? left;
    if (!(TRUSTS as readonly string[]).includes(level))
      throw usage(`--trust takes one of ${TRUSTS.join(', ')}, or NAME=LEVEL; not "${given}"`);
    if (right === undefined) all = level;
    else byName.set(left, level);
  }
  return { ...(all === undefined ? {} : { all }), byName, systemToUser: isOn(flags, 'system-to-user') };
}

/** The answers of a person, and the flags that give the same answers; no flags where nobody was asked. */
export interface AskedTrust {
  readonly choice: TrustChoice;
  readonly flags: string;
}

/** A person at a terminal is asked about inputs that no flag names; nobody else is. */
export async function askedTrust(choice: TrustChoice, adopted: ImportDraft, io: Io): Promise<AskedTrust> {
  const open = [...inputUses(adopted)].filter(([name]) => !choice.byName.has(name));
  if (choice.all !== undefined || open.length === 0 || !isAtTerminal(io)) return { choice, flags: '' };
  const { note, select, isCancel } = await import('../input/questions.js');
  const ask = async <Value extends string>(
    message: string,
    options: readonly { readonly value: Value; readonly label: string }[],
  ): Promise<Value> => {
    const given = await select<string>({ message, options: [...options] });
    if (isCancel(given))
      throw new Failure('E_IMPORT_TRUST', 'Nothing was imported: no trust level was chosen', { exit: 1 });
    return given as Value;
  };
  note(INTRODUCTION, open.length === 1 ? 'One input' : `${open.length} inputs`);
  const byName = new Map(choice.byName);
  let { systemToUser } = choice;
  for (const [name, { sheet, file, at, isInSystem }] of open) {
    const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
    const where = `in ${isInSystem ? 'a system message of ' : ''}sheet:${sheet}, ${place}`;
    let level: string = await ask(
      `Who can write the value of ${JSON.stringify(name)}? It is ${screenText(where, true)}`,
      LEVELS,
    );
    if (isInSystem && level !== 'operator' && !systemToUser) {
      const answer = await ask(
        'A system message may hold only what operators write. What should happen?',
        MOVES,
      );
      if (answer === 'operator') level = 'operator';
      else systemToUser = true;
    }
    byName.set(name, level);
  }
  const flags = [
    ...[...byName].map(([name, level]) => ` --trust ${shellWord(`${name}=${level}`)}`),
    ...(systemToUser ? [' --system-to-user'] : []),
  ];
  return { choice: { ...choice, byName, systemToUser }, flags: flags.join('') };
}

const INTRODUCTION = `A sheet marks each value by who can write it.
What operators write is inserted as it is: the prompt stays the same, byte for byte.
What anybody else writes is fenced: the model can tell it from your instructions.`;

const LEVELS = [
  { value: 'operator', label: 'operator   you, or your program; inserted as it is' },
  { value: 'user', label: 'user       people who use the program; fenced' },
  { value: 'agent', label: 'agent      another agent; fenced' },
  { value: 'tool', label: 'tool       the result of a tool; fenced' },
  { value: 'external', label: 'external   anybody, for example by mail or on a web page; fenced' },
];

const MOVES = [
  { value: 'move', label: 'The system message becomes a user message (also for the next inputs)' },
  { value: 'operator', label: 'Only operators write it after all' },
] as const;
