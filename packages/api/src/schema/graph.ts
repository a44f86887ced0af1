import { z } from 'zod';
import { jsonSchema } from './base.js';

/** What a node may do. */
export const capabilitiesSchema = z.object({
  edgeManagement: z.enum(['none', 'self', 'all']),
  writeCode: z.boolean(),
  writeDocs: z.boolean(),
  runCommands: z.boolean(),
  delegateOnly: z.boolean(),
});

/** The same as a person sets it: what is left out has its default, or stays. */
export const capabilitiesInputSchema = z.strictObject({
  edgeManagement: z.enum(['none', 'self', 'all']).optional(),
  writeCode: z.boolean().optional(),
  writeDocs: z.boolean().optional(),
  runCommands: z.boolean().optional(),
  delegateOnly: z.boolean().optional(),
});

/** Who is asked before a node acts. */
export const permissionsSchema = z.object({
  cliPermissionsMode: z.enum(['skip', 'gated']),
  agentManagementRequiresApproval: z.boolean(),
});

/** The same as a person sets it. */
export const permissionsInputSchema = z.strictObject({
  cliPermissionsMode: z.enum(['skip', 'gated']).optional(),
  agentManagementRequiresApproval: z.boolean().optional(),
});

/** A way between two nodes. */
export const edgeSchema = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  bidirectional: z.boolean(),
  type: z.enum(['handoff', 'report']),
  label: z.string(),
});

/** What one node sends to another. */
export const envelopeSchema = z.object({
  kind: z.enum(['handoff', 'signal']),
  id: z.string(),
  fromNodeId: z.string(),
  toNodeId: z.string(),
  createdAt: z.string(),
  payload: z.object({
    message: z.string(),
    structured: z.record(z.string(), jsonSchema).optional(),
    artifacts: z.array(z.object({ type: z.string(), ref: z.string() })).optional(),
    status: z.object({ ok: z.boolean(), reason: z.string().optional() }).optional(),
    response: z
      .object({ expectation: z.enum(['none', 'optional', 'required']), replyTo: z.string().optional() })
      .optional(),
  }),
  contextRef: z.string().optional(),
  meta: z.record(z.string(), jsonSchema).optional(),
});

/** A reply that somebody waits for. */
export const pendingReplySchema = z.object({
  envelope: z.string(),
  from: z.string(),
  owedBy: z.string(),
  to: z.string(),
  since: z.string(),
});
