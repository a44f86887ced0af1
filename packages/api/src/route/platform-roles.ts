/** Everybody who is no agent. */
export const PEOPLE = ['platform:owner', 'platform:reviewer', 'platform:publisher', 'platform:auditor'];

/** The roles of a platform, for routes that one of them may ask. */
export const ROLE = {
  owner: ['platform:owner'],
  reviewer: ['platform:reviewer'],
  publisher: ['platform:publisher'],
  auditor: ['platform:auditor'],
  agent: ['platform:agent'],
} as const;
