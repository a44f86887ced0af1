import { parseRole, shippedFile } from '../src/role/load.js';
import { SHIPPED_ROLES } from '../src/role/shipped.js';
import type { RoleTemplate } from '../src/role/template.js';

/** The shipped templates, parsed. */
export const loadedRoles = (): readonly RoleTemplate[] =>
  Object.entries(SHIPPED_ROLES).map(([name, text]) => {
    const role = parseRole(name, { file: shippedFile(name), text, source: 'shipped' });
    if (!role.ok) throw new Error(name);
    return role.value;
  });
