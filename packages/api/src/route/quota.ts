import { quotaLimitsSchema, quotaSchema, quotaSubjectSchema, quotaUseSchema } from '../schema/quota.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const SUBJECT_PARAMS = z.strictObject({ subject: quotaSubjectSchema });

/** Limits of the project and of its people. Owners set them; everybody may see what counts for them. */
export const QUOTA_ROUTES = {
  ownQuota: {
    method: 'GET',
    path: '/me/quota',
    summary: 'Every limit of the caller, with what is used of it.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ uses: z.array(quotaUseSchema) }),
    roles: VIEWER,
  },
  listQuotas: {
    method: 'GET',
    path: '/quotas',
    summary: 'The limits that are set, and what is used of those of the project and of each person.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ quotas: z.array(quotaSchema), uses: z.array(quotaUseSchema) }),
  },
  setQuota: {
    method: 'PATCH',
    path: '/quotas/{subject}',
    summary:
      'Sets limits of the project, a role or a person, beside those that are set. Null takes one away.',
    params: SUBJECT_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ limits: quotaLimitsSchema }),
    answer: quotaSchema,
  },
  removeQuota: {
    method: 'DELETE',
    path: '/quotas/{subject}',
    summary: 'Takes all limits of the project, a role or a person away.',
    params: SUBJECT_PARAMS,
    query: NOTHING,
    answer: DONE,
  },
} as const satisfies RouteTable;
