import * as z from '../zod.js';
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

/** What a node has made, as the receiver of a handoff is told. */
export const workReportSchema = z.object({
  diffs: z.array(
    z.object({
      turn: z.number(),
      /** `artifact://` and the hash of the patch. */
      ref: z.string(),
      files: z.array(z.string()),
      lines: z.object({ added: z.number(), removed: z.number() }).optional(),
    }),
  ),
  checks: z.enum(['none', 'passed', 'failed', 'owed']),
  failure: z.string().optional(),
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
  /** What its sender has made since the receiver last heard of it. */
  work: workReportSchema.optional(),
});

/** A reply that somebody waits for. */
export const pendingReplySchema = z.object({
  envelope: z.string(),
  from: z.string(),
  owedBy: z.string(),
  to: z.string(),
  since: z.string(),
});
