import { jsonSchema, nodeRefSchema, partIdSchema, runIdSchema, textSchema } from '../schema/base.js';
import { capabilitiesInputSchema, edgeSchema, permissionsInputSchema } from '../schema/graph.js';
import { approvalSchema } from '../schema/node.js';
import * as z from '../zod.js';
import { OPERATOR, REVIEWER, VIEWER } from './roles.js';
import { COMMAND, DONE, NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const NODE_PARAMS = RUN_PARAMS.extend({ node: nodeRefSchema });
const APPROVAL_PARAMS = RUN_PARAMS.extend({ approval: partIdSchema });
const name = z.string().min(1).max(200);
const alias = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, dash and underscore');

/** Nodes, edges and what they wait for. */
export const GRAPH_ROUTES = {
  addNode: {
    method: 'POST',
    path: '/runs/{run}/nodes',
    summary: 'Adds a node.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      label: name,
      alias: alias.optional(),
      role: z.string().min(1).max(100),
      provider: name,
      model: name.optional(),
      capabilities: capabilitiesInputSchema.optional(),
      permissions: permissionsInputSchema.optional(),
      resume: z.boolean().optional(),
      /** `with`: in the folder of that node, named by id or alias. */
      workspace: z.union([z.enum(['own', 'shared']), z.strictObject({ with: nodeRefSchema })]).optional(),
      prompt: textSchema.optional(),
      override: textSchema.optional(),
    }),
    answer: z.object({ node: z.string() }),
    status: 201,
    roles: OPERATOR,
  },
  messageNode: {
    method: 'POST',
    path: '/runs/{run}/nodes/{node}/message',
    summary: 'Says something to a node; with `interrupt` its turn is ended first.',
    params: NODE_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      text: textSchema,
      interrupt: z.boolean().optional(),
      /** A context pack, or another text of the run: the answer of `keepPack` has its `ref`. */
      contextRef: z.string().min(1).max(200).optional(),
    }),
    answer: z.object({ message: z.string() }),
    roles: OPERATOR,
  },
  interruptNode: {
    method: 'POST',
    path: '/runs/{run}/nodes/{node}/interrupt',
    summary: 'Ends the turn in flight; the node then waits for a person.',
    params: NODE_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
  resetNode: {
    method: 'POST',
    path: '/runs/{run}/nodes/{node}/reset',
    summary: 'Forgets what waits for the node, and its session.',
    params: NODE_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
  resumeNode: {
    method: 'POST',
    path: '/runs/{run}/nodes/{node}/resume',
    summary: 'Goes on after a hold: a failed turn is tried again.',
    params: NODE_PARAMS,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: OPERATOR,
  },
  configureNode: {
    method: 'PATCH',
    path: '/runs/{run}/nodes/{node}',
    summary: 'Changes a node between turns. `null` takes a model or override away.',
    params: NODE_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      provider: name.optional(),
      model: name.nullable().optional(),
      override: textSchema.nullable().optional(),
      capabilities: capabilitiesInputSchema.optional(),
    }),
    answer: DONE,
    roles: OPERATOR,
  },
  addEdge: {
    method: 'POST',
    path: '/runs/{run}/edges',
    summary: 'Joins two nodes, named by id or alias.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      from: nodeRefSchema,
      to: nodeRefSchema,
      type: z.enum(['handoff', 'report']).optional(),
      bidirectional: z.boolean().optional(),
      label: name.optional(),
    }),
    answer: edgeSchema,
    status: 201,
    roles: OPERATOR,
  },
  listApprovals: {
    method: 'GET',
    path: '/approvals',
    summary: 'What waits for a person, over all runs, the oldest first.',
    params: NOTHING,
    query: z.strictObject({ run: runIdSchema.optional() }),
    answer: z.object({ approvals: z.array(approvalSchema) }),
    roles: VIEWER,
  },
  getApproval: {
    method: 'GET',
    path: '/runs/{run}/approvals/{approval}',
    summary: 'One approval, answered or not.',
    params: APPROVAL_PARAMS,
    query: NOTHING,
    answer: approvalSchema,
    roles: VIEWER,
  },
  resolveApproval: {
    method: 'POST',
    path: '/runs/{run}/approvals/{approval}',
    summary:
      'Allows (with `grant`: this tool for the rest of the run), denies, or changes what is to be done.',
    params: APPROVAL_PARAMS,
    query: NOTHING,
    body: z.discriminatedUnion('decision', [
      COMMAND.extend({ decision: z.literal('allow'), grant: z.boolean().optional() }),
      COMMAND.extend({ decision: z.literal('deny'), message: z.string().max(2_000).optional() }),
      COMMAND.extend({ decision: z.literal('change'), input: jsonSchema }),
    ]),
    answer: DONE,
    roles: REVIEWER,
  },
} as const satisfies RouteTable;
