import type { PersonView } from '@cuebook/api';

/** What each role may do; each may do what those before it may. */
export const ROLES: Readonly<Record<PersonView['role'], string>> = {
  viewer: 'reads runs and follows them; confidential words are masked.',
  reviewer: 'also answers approvals and questions.',
  operator: 'also starts, steers and stops runs, edits sources and sees confidential text.',
  owner: 'also manages people and limits.',
};
