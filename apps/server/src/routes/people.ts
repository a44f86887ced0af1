import { PEOPLE_ROUTES } from '@cuebook/api';
import { type IssuedToken, isPersonRole, type People, type Person } from '@cuebook/host';
import { fail, ok } from '@cuebook/prompt';
import { fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';

/** Who works with the project. Owners decide; everybody may ask who they are. */
export function peopleRoutes(people: People) {
  return routeGroup(PEOPLE_ROUTES, {
    whoAmI: async (_, { by: { name, roles } }) => {
      const [role] = roles.filter(isPersonRole);
      return ok({ name, role: role ?? 'viewer' });
    },
    listPeople: async () => ok({ people: (await people.list()).map(personView) }),
    addPerson: async ({ body: { name, role, email } }, { by }) => {
      const added = await people.add({ name, role, ...(email === undefined ? {} : { email }) }, by.name);
      return added.ok ? ok(told(added.value)) : fail(fromHost(added.error));
    },
    setPersonRole: async ({ params: { person }, body: { role } }, { by }) => {
      const changed = await people.setRole(person, role, by.name);
      return changed.ok ? ok(personView(changed.value)) : fail(fromHost(changed.error));
    },
    removePerson: async ({ params: { person } }, { by }) => {
      const removed = await people.remove(person, by.name);
      return removed.ok ? ok({ done: true }) : fail(fromHost(removed.error));
    },
    addPersonToken: async ({ params: { person }, body: { expiresAt } }, { by }) => {
      const end = expiresAt === undefined ? {} : { expiresAt };
      const issued = await people.issue(person, by.name, end);
      return issued.ok ? ok(told(issued.value)) : fail(fromHost(issued.error));
    },
    revokePersonToken: async ({ params: { person, token } }, { by }) => {
      const revoked = await people.revokeToken(person, token, by.name);
      return revoked.ok ? ok({ done: true }) : fail(fromHost(revoked.error));
    },
  });
}

const told = ({ person: { name, role }, id, token }: IssuedToken) => ({ name, role, id, token });

const personView = ({ name, role, email, addedAt, addedBy, tokens }: Person) => ({
  ...{ name, role, email: email ?? null, addedAt, addedBy },
  tokens: tokens.map(({ id, issuedAt, expiresAt }) => ({ id, issuedAt, expiresAt: expiresAt ?? null })),
});
