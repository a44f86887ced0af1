import { isPersonRole, openPeople, PERSON_ROLES, type People, type Person } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/open.js';
import { timeText } from '../record/event-text.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { findRunning } from '../team/connect.js';

/** `cuebook people [ACTION]`: who may do what at the servers of a project. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const list: CommandHandler = async (call) => {
  if (call.args.length > 0) throw usage(`${hint`people`} takes no more words`);
  return withPeople(call, async (people) => {
    const all = await people.list();
    const { flags, io } = call;
    if (isOn(flags, 'json')) await printJson(io, { people: all.map(shown) });
    else if (all.length === 0)
      await io.out(told(io, `Nobody but the owner. Add somebody: ${hint`people add NAME --role ROLE`}\n`));
    else for (const each of all) await io.out(line(each));
    return 0;
  });
};

const add: CommandHandler = async (call) => {
  const name = oneArgument(call, `who: ${hint`people add NAME --role ROLE`}`);
  const role = roleOf(flagValue(call.flags, 'role'), '--role');
  const email = flagValue(call.flags, 'email');
  return withPeople(call, async (people) => {
    const who = { name, role, ...(email === undefined ? {} : { email }) };
    return tellToken(call, done(await people.add(who, byWhom(call.flags, call.io))));
  });
};

const role: CommandHandler = async (call) => {
  const [name, given, ...more] = call.args;
  if (name === undefined || given === undefined || more.length > 0)
    throw usage(`Name who and the role: ${hint`people role NAME ROLE`}`);
  const next = roleOf(given, 'The role');
  return withPeople(call, async (people) => {
    const person = done(await people.setRole(name, next, byWhom(call.flags, call.io)));
    if (isOn(call.flags, 'json')) await printJson(call.io, shown(person));
    else await call.io.out(`${name} is ${next} now\n`);
    return 0;
  });
};

const token: CommandHandler = async (call) => {
  const name = oneArgument(call, `who: ${hint`people token NAME`}`);
  const days = flagValue(call.flags, 'days');
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days))
    throw usage(`--days takes a number from 1 to 9999, not ${days}`);
  const end = days === undefined ? {} : { expiresAt: Date.now() + Number(days) * DAY_MS };
  return withPeople(call, async (people) =>
    tellToken(call, done(await people.issue(name, byWhom(call.flags, call.io), end))),
  );
};

const revoke: CommandHandler = async (call) => {
  const name = oneArgument(call, `who: ${hint`people revoke NAME`}`);
  const id = flagValue(call.flags, 'token');
  return withPeople(call, async (people) => {
    const by = byWhom(call.flags, call.io);
    if (id === undefined) done(await people.remove(name, by));
    else done(await people.revokeToken(name, id, by));
    if (isOn(call.flags, 'json'))
      await printJson(call.io, { name, ...(id === undefined ? {} : { token: id }), revoked: true });
    else if (id === undefined)
      await call.io.out(`${name} has no role and no token any more. What is open with their tokens ends.\n`);
    else await call.io.out(`Revoked token ${id} of ${name}. What is open with it ends.\n`);
    return 0;
  });
};

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['add', add],
  ['role', role],
  ['token', token],
  ['revoke', revoke],
]);

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Opens the people of the project, wherever its records are. */
async function withPeople(call: Call, work: (people: People) => Promise<number>): Promise<number> {
  const where = await journalPlace(call.flags, call.io);
  return withOpened(where, ({ store }) => work(openPeople(store)));
}

/** A token is told once; where a server is up, as the link that opens it. */
async function tellToken(
  call: Call,
  { person: { name, role: is }, id, token: text }: { person: Person; id: string; token: string },
): Promise<number> {
  const { flags, io } = call;
  const server = await findRunning(call);
  const link = server && `${server.url}/#token=${text}`;
  if (isOn(flags, 'json')) await printJson(io, { name, role: is, id, token: text, ...(link && { link }) });
  else {
    await io.out(`${text}\n`);
    const open = link === undefined ? '' : `Opens the app on this machine: ${link}\n`;
    await io.out(
      told(io, `${open}Shown once. Take it back with: ${hint`people revoke ${name} --token ${id}`}\n`),
    );
  }
  return 0;
}

function roleOf(given: string | undefined, what: string) {
  if (!isPersonRole(given)) throw usage(`${what} is one of ${PERSON_ROLES.join(', ')}`);
  return given;
}

function done<Value>(
  result:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): Value {
  if (result.ok) return result.value;
  throw new Failure(result.error.code, result.error.message, { exit: 1 });
}

const shown = ({ name, role: is, email, addedAt, addedBy, tokens }: Person) => ({
  ...{ name, role: is, email: email ?? null, addedAt: timeText(addedAt), addedBy },
  tokens: tokens.map(({ id, issuedAt, expiresAt }) => ({
    id,
    issuedAt: timeText(issuedAt),
    expiresAt: expiresAt === undefined ? null : timeText(expiresAt),
  })),
});

const line = ({ name, role: is, addedAt, addedBy, tokens }: Person): string =>
  `${name}  ${is}  ${tokens.length === 1 ? '1 token' : `${tokens.length} tokens`}  added ${timeText(addedAt)} by ${addedBy}\n`;
