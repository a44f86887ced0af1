// What composing a team's prompts takes, apart from what running it takes: commands that only look start faster.
export { roleProfile } from './profile/role-profile.js';
export { teamProfile } from './profile/team-profile.js';
export { warnedProfiles } from './profile/warned.js';
export { findRoles, loadRole } from './role/load.js';
export { roleFile } from './role/name.js';
export { SHIPPED_ROLES } from './role/shipped.js';
export { edgeScopeOf, type RoleTemplate } from './role/template.js';
