import * as z from '../zod.js';
import { diagnosticSchema } from './base.js';

/** That the server is there, and whether it can do its work. */
export const healthSchema = z.object({
  /** `degraded`: it answers, and what it stands on does not. It continues by itself when that is back. */
  status: z.enum(['ok', 'degraded']),
  api: z.literal(1),
  /** Why it is degraded. */
  cause: z.object({ code: z.string(), message: z.string() }).optional(),
});

/** Where a node works. */
export const workspaceSchema = z.object({
  node: z.string(),
  kind: z.enum(['own', 'shared']),
  /** Other nodes that work in this folder, in turns. */
  others: z.array(z.string()),
  bytes: z.number(),
  /** Files that are not in the person's branch. */
  unapplied: z.number(),
});

/** What bringing work into the person's folder did; with `dryRun` what it would do. */
export const appliedSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      /** `merged`: the person and the node changed different places of it. */
      change: z.enum(['new', 'edited', 'deleted', 'merged']),
      node: z.string(),
    }),
  ),
  /** Files that stand against it: where there is one, nothing was changed. */
  conflicts: z.array(
    z.object({
      path: z.string(),
      node: z.string(),
      why: z.enum(['both-changed', 'deleted', 'in-the-way']),
    }),
  ),
  committed: z.string().nullable(),
});

/** The nodes whose workspaces were removed, and those that were kept because their work is nowhere else. */
export const cleanedSchema = z.object({
  removed: z.array(z.string()),
  kept: z.array(z.string()),
  bytes: z.number(),
  /** What the contents that all workspaces share take now. */
  contents: z.number(),
  /** Why contents that nobody needs are still there. */
  left: z.string().optional(),
});

/** Who can speak. */
export const providerSchema = z.object({
  name: z.string(),
  kind: z.string(),
  installed: z.boolean().nullable(),
  version: z.string().nullable(),
  signedIn: z.string(),
  capabilities: z.record(z.string(), z.boolean()),
  missing: z.array(z.string()),
});

/** What a role may do by its preamble. */
export const roleRightsSchema = z.object({
  edgeManagement: z.enum(['none', 'self', 'all']),
  writeCode: z.boolean(),
  writeDocs: z.boolean(),
  runCommands: z.boolean(),
});

/** A role template as a list shows it. */
export const roleSummarySchema = z.object({
  name: z.string(),
  source: z.enum(['repository', 'shipped']),
  /** What its preamble says; null and empty where it does not, or where the template cannot be used. */
  version: z.string().nullable(),
  capabilities: z.array(z.string()),
  constraints: z.array(z.string()),
  /** What a node of this role may do at most. */
  rights: roleRightsSchema,
  /** Whether a run can use it. */
  usable: z.boolean(),
});

/** A role template, or what is wrong with it. */
export const roleSchema = z.object({
  name: z.string(),
  source: z.enum(['repository', 'shipped']),
  file: z.string(),
  text: z.string(),
  version: z.string().nullable(),
  capabilities: z.array(z.string()),
  constraints: z.array(z.string()),
  rights: roleRightsSchema,
  diagnostics: z.array(diagnosticSchema),
});
