import { budgetSchema, inputsSchema, textSchema } from '../schema/base.js';
import {
  webhookAnswersSchema,
  webhookIdSchema,
  webhookSchema,
  webhookToldSchema,
} from '../schema/webhook.js';
import * as z from '../zod.js';
import { VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const WEBHOOK_PARAMS = z.strictObject({ webhook: webhookIdSchema });

/** Addresses at which somebody outside may do one thing. All but the list is for owners. */
export const WEBHOOK_ROUTES = {
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks, without their secrets.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ webhooks: z.array(webhookSchema) }),
    roles: VIEWER,
  },
  addWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary:
      'Lets somebody outside start runs of a target, or answer what waits in them. The secret is told once.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({
      target: z.string().min(1).max(1_000),
      /** Given: it answers what waits in runs of the target. Left out: it starts them. */
      answers: z.array(webhookAnswersSchema).min(1).max(2).optional(),
      /** The JSON pointer of each input that a body fills, by the name of the input. */
      takes: z.record(z.string().min(1).max(200), z.string().max(500)).default({}),
      input: textSchema.optional(),
      inputs: inputsSchema.optional(),
      budget: budgetSchema.optional(),
      provider: z.string().min(1).max(200).optional(),
      model: z.string().min(1).max(200).optional(),
      /** What the rehearsal says: the text of a script. */
      script: z.string().min(1).max(500_000).optional(),
    }),
    answer: webhookToldSchema,
    status: 201,
  },
  rotateWebhook: {
    method: 'POST',
    path: '/webhooks/{webhook}/rotate',
    summary: 'Another secret, told once. The one before counts for a while.',
    params: WEBHOOK_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      /** How long the secret before counts; 0: it ends at once. */
      hours: z.number().int().min(0).max(720).default(24),
    }),
    answer: webhookToldSchema,
  },
  removeWebhook: {
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    summary: 'Deletes a webhook. Runs that it started continue.',
    params: WEBHOOK_PARAMS,
    query: NOTHING,
    answer: DONE,
  },
} as const satisfies RouteTable;
