import {
  appliedSchema,
  cleanedSchema,
  healthSchema,
  providerSchema,
  roleSchema,
  roleSummarySchema,
  workspaceSchema,
} from '../schema/project.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { COMMAND, NOTHING, type RouteTable, RUN_PARAMS } from './route.js';

const node = z.string().min(1).max(200);

/** The project: workspaces, providers, role templates, team files. */
export const PROJECT_ROUTES = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'That the server is there, and why it cannot do its work if it cannot.',
    params: NOTHING,
    query: NOTHING,
    answer: healthSchema,
    access: 'open',
  },
  ready: {
    method: 'GET',
    path: '/ready',
    summary: 'That the server can do its work; 503 with the cause while it cannot.',
    params: NOTHING,
    query: NOTHING,
    answer: healthSchema,
    access: 'open',
  },
  listWorkspaces: {
    method: 'GET',
    path: '/runs/{run}/workspaces',
    summary: 'Where the nodes of a run work, and how much of the disk that takes.',
    params: RUN_PARAMS,
    query: NOTHING,
    answer: z.object({
      workspaces: z.array(workspaceSchema),
      /** Bytes of the contents that the workspaces of all runs share. */
      contents: z.number(),
    }),
    roles: VIEWER,
  },
  applyWork: {
    method: 'POST',
    path: '/runs/{run}/apply',
    summary: 'Brings the work of a run or node into the project; loses nothing of what is there.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({
      node: node.optional(),
      /** Says what would happen and changes nothing. */
      dryRun: z.boolean().optional(),
      /** Only these files; the others stay as they are. Left out: all. */
      files: z.array(z.string().min(1).max(4_000)).min(1).max(10_000).optional(),
      /** The message of a commit; left out: nothing is committed. */
      commit: z.string().min(1).max(8_000).optional(),
    }),
    answer: appliedSchema,
    roles: OPERATOR,
  },
  cleanWork: {
    method: 'POST',
    path: '/runs/{run}/clean',
    summary:
      'Removes workspaces whose work is in the project; others only with `discard`, and they cannot be had back.',
    params: RUN_PARAMS,
    query: NOTHING,
    body: COMMAND.extend({ node: node.optional(), discard: z.boolean().optional() }),
    answer: cleanedSchema,
    roles: OPERATOR,
  },
  pushWork: {
    method: 'POST',
    path: '/push',
    summary: 'Sends the commits of the project to a branch of its remote. Nothing there is written over.',
    params: NOTHING,
    query: NOTHING,
    body: COMMAND.extend({ branch: z.string().min(1).max(200) }),
    answer: z.object({ remote: z.string(), branch: z.string(), commit: z.string() }),
    roles: OPERATOR,
  },
  listProviders: {
    method: 'GET',
    path: '/providers',
    summary: 'The providers on this machine, and what is missing to use them.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({
      default: z.string(),
      providers: z.array(providerSchema),
      /** Models whose price is known here; providers may have others. */
      models: z.array(z.string()),
    }),
    tellsNames: true,
    roles: VIEWER,
  },
  listTeams: {
    method: 'GET',
    path: '/teams',
    summary: 'The team files of the project.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ teams: z.array(z.string()) }),
    tellsNames: true,
    roles: VIEWER,
  },
  listRoles: {
    method: 'GET',
    path: '/roles',
    summary: 'The role templates: the repository first, then the shipped ones.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ roles: z.array(roleSummarySchema) }),
    tellsNames: true,
    roles: VIEWER,
  },
  getRole: {
    method: 'GET',
    path: '/roles/{role}',
    summary: 'A role template with its preamble.',
    params: z.strictObject({
      role: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'letters, digits, dash and underscore'),
    }),
    query: NOTHING,
    answer: roleSchema,
    roles: VIEWER,
  },
} as const satisfies RouteTable;
