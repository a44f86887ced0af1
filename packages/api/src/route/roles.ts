/** Who may look at a project: everybody with a role in it. */
export const VIEWER = ['viewer'] as const;
/** Who may answer what waits for a person. A token of this role has that of a viewer too. */
export const REVIEWER = ['reviewer'] as const;
/** Who may start and steer runs, and see what is confidential. A token of this role has those of a reviewer too. */
export const OPERATOR = ['operator'] as const;
