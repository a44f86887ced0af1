import { TEXTS } from '../shipped-texts.js';

/** The templates that come with Cuebook, by name. A repository's own file of the same name wins. */
export const SHIPPED_ROLES = TEXTS.record(
  ['implementer', 'investigator', 'orchestrator', 'planner', 'reviewer'],
  (name) => `roles/${name}.md`,
);
