import { z } from 'zod';
import {
  aliasSchema,
  capabilitiesSchema,
  nodeServers,
  permissionsSchema,
  providerSchema,
} from '../call/tools.js';
import { isRoleName } from '../role/name.js';

const text = z.string().min(1).max(64_000);
const label = z.string().min(1).max(200);
const name = z.string().min(1).max(200);
const limit = z.number().positive().max(1e12);

const budget = z.strictObject({
  turns: limit.int().optional(),
  tokens: limit.int().optional(),
  usd: limit.optional(),
});

const workspaceSchema = z.union([z.enum(['own', 'shared']), z.strictObject({ with: aliasSchema })], {
  error: 'a node works in a folder that is own or shared, or { with: ALIAS } in that of another node',
});

const node = z.strictObject({
  alias: aliasSchema,
  label: label.optional(),
  role: z.string().refine(isRoleName, 'a role is named by its file in docs/templates, without the ending'),
  provider: providerSchema.optional(),
  model: name.optional(),
  fallbacks: z.array(name).max(10).optional(),
  capabilities: capabilitiesSchema.optional(),
  permissions: permissionsSchema.optional(),
  /** MCP servers of the project whose tools it may call. */
  servers: nodeServers.optional(),
  session: z.strictObject({ resume: z.boolean().optional() }).optional(),
  workspace: workspaceSchema.optional(),
  /** Stands in the place of the role template's text. */
  prompt: text.optional(),
  /** The last layer of every prompt. */
  override: text.optional(),
  budget: budget.optional(),
});

const edge = z.strictObject({
  from: aliasSchema,
  to: aliasSchema,
  type: z.enum(['handoff', 'report']).optional(),
  bidirectional: z.boolean().optional(),
  label: label.optional(),
});

/** What bounds a run, as people write it. */
export const limitsSchema = z.strictObject({
  /** Turns at the same time. */
  parallel: z.number().int().min(1).max(256).optional(),
  /** The same, by provider. */
  perProvider: z.record(z.string(), z.number().int().min(1).max(256)).optional(),
  nodes: z.number().int().min(1).max(500).optional(),
  depth: z.number().int().min(0).max(10).optional(),
  /** Handoffs that may wait for one node. */
  inbox: z.number().int().min(1).max(10_000).optional(),
  /** How long a person has to answer an approval; 0: for ever. */
  approvalMinutes: z.number().min(0).max(525_600).optional(),
});

/** A team file. */
export const teamSchema = z.strictObject({
  goal: text.optional(),
  done: z.array(text).max(100).default([]),
  mode: z.enum(['AUTO', 'INTERACTIVE']).default('AUTO'),
  globalMode: z.enum(['PLANNING', 'IMPLEMENTATION']).default('IMPLEMENTATION'),
  /** What a node that names none speaks with. */
  provider: providerSchema.optional(),
  budget: budget.default({}),
  /** Commands that check the work after a turn that changed something. */
  verify: z.array(text).max(20).default([]),
  /** A command that makes a fresh workspace ready. */
  setup: text.optional(),
  limits: limitsSchema.default({}),
  nodes: z.array(node).min(1).max(200),
  edges: z.array(edge).max(2_000).default([]),
});

/** A team file as it is read. */
export type TeamFile = z.infer<typeof teamSchema>;
/** One of its nodes. */
export type TeamFileNode = TeamFile['nodes'][number];
