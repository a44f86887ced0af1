import { guard } from '@cuebook/guard';
import {
  describeJournalError,
  type JournalError,
  type NewEvent,
  openRegister,
  type RegisterStore,
  timeOf,
} from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import type { HostError } from '../contract.js';
import { refuse } from '../errors.js';
import { mailboxOf } from './mailbox.js';
import { knowsPeople, type PeopleState, type Person, type PersonRole, projectPeople } from './person.js';
import { projectRemoved, type RemovedState } from './removed.js';
import { isTokenSecret, newPersonToken, parsePersonToken } from './token.js';

/** The people of a project, kept in its journal. Nothing throws for an expected failure but a store that is away. */
export interface People {
  list(): Promise<readonly Person[]>;
  /** Adds somebody, with a first token. */
  add(
    who: { readonly name: string; readonly role: PersonRole; readonly email?: string },
    by: string,
    options?: { readonly expiresAt?: number },
  ): Promise<Result<IssuedToken, HostError>>;
  setRole(name: string, role: PersonRole, by: string): Promise<Result<Person, HostError>>;
  /** Gives somebody another token. */
  issue(
    name: string,
    by: string,
    options?: { readonly expiresAt?: number },
  ): Promise<Result<IssuedToken, HostError>>;
  /** Takes one token of somebody back; they stay. */
  revokeToken(name: string, token: string, by: string): Promise<Result<Person, HostError>>;
  /** Takes all tokens of somebody back; they may do nothing more. */
  remove(name: string, by: string): Promise<Result<{ readonly name: string }, HostError>>;
  /** The addresses, in small letters, of people who were removed and not added again. */
  removedAddresses(): Promise<ReadonlySet<string>>;
  /** Whose token it is, now; undefined: nobody's. */
  identify(text: string): Promise<IdentifiedPerson | undefined>;
  /** Whether a token counts, now. */
  isValid(name: string, token: string): Promise<boolean>;
  /** Resolves over and over when something changed, until the signal fires; rejects when the store is lost. */
  changes(signal: AbortSignal): AsyncIterable<unknown>;
}

/** A token as it is told once. */
export interface IssuedToken {
  readonly person: Person;
  readonly token: string;
  readonly id: string;
}

export interface IdentifiedPerson {
  readonly name: string;
  readonly role: PersonRole;
  /** The id of the token. */
  readonly token: string;
  readonly expiresAt?: number;
}

export function openPeople(store: RegisterStore, now = timeOf(store)): People {
  const register = openRegister<PeopleState>(store, 'people', {
    initial: new Map(),
    project: projectPeople,
    knows: knowsPeople,
  });
  const removed = openRegister<RemovedState>(store, 'people', {
    initial: { addresses: new Map(), gone: new Set() },
    project: projectRemoved,
    knows: knowsPeople,
  });
  /** Writes what was decided and answers the person as it is then. */
  async function write(
    name: string,
    decide: (state: PeopleState) => Result<readonly NewEvent[], HostError>,
  ): Promise<Result<Person, HostError>> {
    const done = await register.change<true, HostError>((state) => {
      const events = decide(state);
      return events.ok ? ok({ events: events.value, answer: true }) : events;
    });
    if (!done.ok) return 'kind' in done.error ? refused(done.error) : unavailable(done.error);
    const person = (await register.read()).get(name);
    return person === undefined ? unknown(name) : ok(person);
  }
  const issued = (name: string, by: string, expiresAt?: number) => {
    const { text, id, hash } = newPersonToken();
    const end = expiresAt === undefined ? {} : { expiresAt };
    const event: NewEvent = { type: 'token.issued', data: { person: name, id, hash, by, ...end } };
    return { text, id, event };
  };
  const known = (state: PeopleState, name: string, events: readonly NewEvent[]) =>
    state.has(name) ? ok(events) : unknown(name);

  return {
    list: async () => [...(await register.read()).values()],
    async add({ name, role, email }, by, { expiresAt } = {}) {
      if (!NAME.test(name) || RESERVED.has(name)) return refuse('invalid', 'E_PERSON_NAME', BAD_NAME);
      if (email !== undefined && !EMAIL.test(email))
        return refuse('invalid', 'E_PERSON_NAME', 'The address is not one of a mailbox: name@host.');
      const { text, id, event } = issued(name, by, expiresAt);
      const added = { person: name, role, by, ...(email === undefined ? {} : { email }) };
      const done = await write(name, (state) => {
        if (state.has(name)) return exists(name);
        const isTaken = [...state.values()].some(
          (each) =>
            each.email !== undefined && email !== undefined && mailboxOf(each.email) === mailboxOf(email),
        );
        if (isTaken) return exists(email ?? '');
        return ok([{ type: 'person.added', data: added }, event]);
      });
      return done.ok ? ok({ person: done.value, token: text, id }) : done;
    },
    setRole: (name, role, by) =>
      write(name, (state) =>
        known(state, name, [{ type: 'person.changed', data: { person: name, role, by } }]),
      ),
    async issue(name, by, { expiresAt } = {}) {
      const { text, id, event } = issued(name, by, expiresAt);
      const done = await write(name, (state) => {
        const person = state.get(name);
        if (person === undefined) return unknown(name);
        // Those that have ended make room: whoever signs in every day would pile them up.
        const ended = person.tokens.filter((token) => (token.expiresAt ?? Number.POSITIVE_INFINITY) <= now());
        const gone = ended.map((token) => revoked(name, token.id, by));
        if (person.tokens.length - ended.length >= MAX_TOKENS)
          return refuse('conflict', 'E_PERSON_TOKENS', TOO_MANY);
        return ok([...gone, event]);
      });
      return done.ok ? ok({ person: done.value, token: text, id }) : done;
    },
    revokeToken: (name, token, by) =>
      write(name, (state) => {
        const has = state.get(name)?.tokens.some((each) => each.id === token) === true;
        if (!has) return refuse('notFound', 'E_PERSON_TOKEN', 'That person has no token of that id.');
        return ok([revoked(name, token, by)]);
      }),
    async remove(name, by) {
      const done = await register.change<true, HostError>((state) => {
        const events = known(state, name, [{ type: 'person.removed', data: { person: name, by } }]);
        return events.ok ? ok({ events: events.value, answer: true }) : events;
      });
      if (done.ok) return ok({ name });
      return 'kind' in done.error ? refused(done.error) : unavailable(done.error);
    },
    removedAddresses: () => removed.read().then(({ gone }) => gone),
    async identify(text) {
      const token = parsePersonToken(text);
      if (token === undefined) return undefined;
      for (const { name, role, tokens } of (await register.read()).values()) {
        const found = tokens.find(({ id }) => id === token.id);
        if (found === undefined) continue;
        if (guard('person.token', !isTokenSecret(token.secret, found.hash))) return undefined;
        const { expiresAt } = found;
        if (guard('person.expired', expiresAt !== undefined && expiresAt <= now())) return undefined;
        return { name, role, token: found.id, ...(expiresAt === undefined ? {} : { expiresAt }) };
      }
      return undefined;
    },
    async isValid(name, token) {
      const found = (await register.read()).get(name)?.tokens.find(({ id }) => id === token);
      return found !== undefined && (found.expiresAt ?? Number.POSITIVE_INFINITY) > now();
    },
    changes: (signal) => register.follow(signal),
  };
}

const revoked = (person: string, id: string, by: string): NewEvent => ({
  type: 'token.revoked',
  data: { person, id, by },
});

const NAME = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;
const EMAIL = /^[^\s@]{1,100}@[^\s@]{1,150}$/;
/** Names that records have for who is no person. */
const RESERVED: ReadonlySet<string> = new Set([
  'owner',
  'nobody',
  'schedule',
  'hook',
  'sign-in',
  'cuebook',
  'server',
]);
const BAD_NAME =
  'A person has a name of up to 100 letters a-z, digits and . _ @ + -, and none that Cuebook has for itself: owner, nobody, schedule, hook, sign-in, cuebook, server.';
const MAX_TOKENS = 100;
const TOO_MANY = `That person has ${MAX_TOKENS} tokens. Revoke one that is not needed any more.`;

const refused = (error: HostError): Result<never, HostError> => ({ ok: false, error });
const unknown = (name: string): Result<never, HostError> =>
  refuse('notFound', 'E_PERSON_UNKNOWN', `There is no person ${JSON.stringify(name.slice(0, 100))}.`);
const exists = (name: string): Result<never, HostError> =>
  refuse('conflict', 'E_PERSON_EXISTS', `There is a person ${JSON.stringify(name.slice(0, 250))} already.`);
const unavailable = (error: JournalError): Result<never, HostError> =>
  refuse('unavailable', error.code, describeJournalError(error));
