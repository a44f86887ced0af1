import { IMPLEMENTER } from './shipped/implementer.js';
import { INVESTIGATOR } from './shipped/investigator.js';
import { ORCHESTRATOR } from './shipped/orchestrator.js';
import { PLANNER } from './shipped/planner.js';
import { REVIEWER } from './shipped/reviewer.js';

/** The templates that come with Cuebook, by name. A repository's own file of the same name wins. */
export const SHIPPED_ROLES = {
  implementer: IMPLEMENTER,
  investigator: INVESTIGATOR,
  orchestrator: ORCHESTRATOR,
  planner: PLANNER,
  reviewer: REVIEWER,
} as const satisfies Readonly<Record<string, string>>;
