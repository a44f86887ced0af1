import { isPersonRole, openPeople, PERSON_ROLES, type Person } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { oneArgument, runAction } from '../platform/action.js';
import { byWhom } from '../platform/by-whom.js';
import { timeText } from '../record/event-text.js';
import { changed, listing, withRegister } from '../register/open.js';
import { findRunning } from '../team/connect.js';

/** `cuebook people [ACTION]`: who may do what at the servers of a project. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const add: CommandHandler = async (call) => {
  const name = oneArgument(call, `who: ${hint`people add NAME --role ROLE`}`);
  const role = roleOf(flagValue(call.flags, 'role'), '--role');
  const email = flagValue(call.flags, 'email');
  return withRegister(call, openPeople, async (people) => {
    const who = { name, role, ...(email === undefined ? {} : { email }) };
    return tellToken(call, changed(await people.add(who, byWhom(call.flags, call.io))));
  });
};

const role: CommandHandler = async (call) => {
  const [name, given, ...more] = call.args;
  if (name === undefined || given === undefined || more.length > 0)
    throw usage(`Name who and the role: ${hint`people role NAME ROLE`}`);
  const next = roleOf(given, 'The role');
  return withRegister(call, openPeople, async (people) => {
    const person = changed(await people.setRole(name, next, byWhom(call.flags, call.io)));
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
  return withRegister(call, openPeople, async (people, now) => {
    const end = days === undefined ? {} : { expiresAt: now() + Number(days) * DAY_MS };
    return tellToken(call, changed(await people.issue(name, byWhom(call.flags, call.io), end)));
  });
};

const revoke: CommandHandler = async (call) => {
  const name = oneArgument(call, `who: ${hint`people revoke NAME`}`);
  const id = flagValue(call.flags, 'token');
  return withRegister(call, openPeople, async (people) => {
    const by = byWhom(call.flags, call.io);
    if (id === undefined) changed(await people.remove(name, by));
    else changed(await people.revokeToken(name, id, by));
    if (isOn(call.flags, 'json'))
      await printJson(
        call.io,
        { name, ...(id === undefined ? {} : { token: id }), revoked: true },
        id === undefined ? {} : { ids: [id] },
      );
    else if (id === undefined)
      await call.io.out(`${name} has no role and no token any more. Their open connections end.\n`);
    else await call.io.out(`Revoked token ${id} of ${name}. Its open connections end.\n`);
    return 0;
  });
};

/** How it is listed. */
const list = listing({
  key: 'people',
  open: openPeople,
  shown: (each) => shown(each),
  line: (each) => line(each),
  none: `Nobody but the owner. Add somebody: ${hint`people add NAME --role ROLE`}`,
  called: hint`people`,
});

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map([
  ['list', list],
  ['add', add],
  ['role', role],
  ['token', token],
  ['revoke', revoke],
]);

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A token is told once; where a server is up, as the link that opens it. */
async function tellToken(
  call: Call,
  { person: { name, role: is }, id, token: text }: { person: Person; id: string; token: string },
): Promise<number> {
  const { flags, io } = call;
  const server = await findRunning(call);
  const link = server && `${server.url}/#token=${text}`;
  if (isOn(flags, 'json'))
    await printJson(io, { name, role: is, id, token: text, ...(link && { link }) }, { exact: true });
  else {
    await io.exact(`${text}\n`);
    const open = link === undefined ? '' : `Opens the app on this machine: ${link}\n`;
    await io.exact(
      told(io, `${open}Shown once. Take it back with: ${hint`people revoke ${name} --token ${id}`}\n`),
    );
  }
  return 0;
}

function roleOf(given: string | undefined, what: string) {
  if (!isPersonRole(given)) throw usage(`${what} is one of ${PERSON_ROLES.join(', ')}`);
  return given;
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
