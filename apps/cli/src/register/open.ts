import { type Store, timeOf } from '@cuebook/journal';
import { type Call, type CommandHandler, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { journalPlace, withOpened } from '../record/journal.js';

/** One register of a project for the command line: what it is called, how it is opened, how its entries are shown. */
interface RegisterView<Entry> {
  /** The key of the list in JSON: `people`. */
  readonly key: string;
  readonly open: (store: Store) => { list(): Promise<readonly Entry[]> };
  readonly shown: (entry: Entry) => unknown;
  readonly line: (entry: Entry, call: Call) => string;
  /** What is printed where there are no entries. */
  readonly none: string;
  /** How the list is asked for, as a hint. */
  readonly called: string;
}

/** Opens a register of the project, wherever its records are, with the time that these go by. */
export async function withRegister<Register>(
  call: Call,
  open: (store: Store) => Register,
  work: (register: Register, now: () => number) => Promise<number>,
): Promise<number> {
  return withOpened(await journalPlace(call.flags, call.io), ({ store }) => work(open(store), timeOf(store)));
}

/** The action that lists the entries of a register. */
export const listing =
  <Entry>(view: RegisterView<Entry>): CommandHandler =>
  (call) => {
    const { args, flags, io } = call;
    if (args.length > 0) throw usage(`${view.called} takes no more words`);
    return withRegister(call, view.open, async (register) => {
      const all = await register.list();
      if (isOn(flags, 'json')) await printJson(io, { [view.key]: all.map(view.shown) });
      else if (all.length === 0) await io.out(told(io, `${view.none}\n`));
      else for (const each of all) await io.out(view.line(each, call));
      return 0;
    });
  };

/** The id that a text stands for: itself, or the only one that begins with it. */
export async function idIn(
  register: { list(): Promise<readonly { readonly id: string }[]> },
  text: string,
): Promise<string> {
  const [only, ...others] = (await register.list()).map(({ id }) => id).filter((id) => id.startsWith(text));
  return only !== undefined && others.length === 0 ? only : text;
}

/** The value of a change that was made; one that was refused is a failure. */
export function changed<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): Value {
  if (result.ok) return result.value;
  throw new Failure(result.error.code, result.error.message, { exit: 1 });
}
