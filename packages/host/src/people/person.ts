import type { StoredEvent } from '@cuebook/journal';

/** What somebody may do with a project. Each role may do all that the ones behind it may. */
export const PERSON_ROLES = ['owner', 'operator', 'reviewer', 'viewer'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** Somebody who works with a project at its servers. */
export interface Person {
  /** As records name them. */
  readonly name: string;
  readonly role: PersonRole;
  readonly addedAt: number;
  readonly addedBy: string;
  readonly tokens: readonly PersonToken[];
  /** Who they are to the provider that signs people in; left out: they have tokens alone. */
  readonly email?: string;
}

/** A token as it is kept: the hash of its secret, never its text. */
export interface PersonToken {
  readonly id: string;
  readonly hash: string;
  readonly issuedAt: number;
  /** Left out: it counts until it is revoked. */
  readonly expiresAt?: number;
}

/** Everybody of a project, by name. */
export type PeopleState = ReadonlyMap<string, Person>;

/** The roles of a principal: its own and all that it includes. */
export const rolesOf = (role: PersonRole): readonly PersonRole[] =>
  PERSON_ROLES.slice(PERSON_ROLES.indexOf(role));

export const isPersonRole = (text: unknown): text is PersonRole =>
  PERSON_ROLES.some((known) => known === text);

/** The state after an event. Events that are not known, and data that does not fit, change nothing. */
export function projectPeople(state: PeopleState, { type, data, at }: StoredEvent): PeopleState {
  const { person: name, role, by, id, hash, email, expiresAt } = fieldsOf(data);
  if (typeof name !== 'string') return state;
  const person = state.get(name);
  const put = (next: Person): PeopleState => new Map(state).set(name, next);
  switch (type) {
    case 'person.added':
      return isPersonRole(role)
        ? put({ name, role, addedAt: at, addedBy: String(by), tokens: [], ...emailOf(email) })
        : state;
    case 'person.changed':
      if (person === undefined) return state;
      return put({ ...person, ...(isPersonRole(role) && { role }), ...emailOf(email) });
    case 'person.removed':
      return new Map([...state].filter(([each]) => each !== name));
    case 'token.issued': {
      if (person === undefined || typeof id !== 'string' || typeof hash !== 'string') return state;
      const end = typeof expiresAt === 'number' ? { expiresAt } : {};
      return put({ ...person, tokens: [...person.tokens, { id, hash, issuedAt: at, ...end }] });
    }
    case 'token.revoked':
      return person ? put({ ...person, tokens: person.tokens.filter((token) => token.id !== id) }) : state;
    default:
      return state;
  }
}

/** Whether this version knows what an event says: it would leave somebody a right that a newer one has taken. */
export function knowsPeople({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  const { role } = fieldsOf(data);
  return TYPES.has(type) && (role === undefined || isPersonRole(role));
}

const TYPES = new Set(['person.added', 'person.changed', 'person.removed', 'token.issued', 'token.revoked']);

const emailOf = (email: unknown): { readonly email?: string } => (typeof email === 'string' ? { email } : {});

const fieldsOf = (data: unknown): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
