import { diagnosticSchema, jsonSchema } from '../schema/base.js';
import {
  fileEditSchema,
  fileTextSchema,
  libraryEntrySchema,
  pathSchema,
  reachedSchema,
  renderedSchema,
  savedFileSchema,
  targetSchema,
  targetSourceSchema,
} from '../schema/library.js';
import * as z from '../zod.js';
import { OPERATOR, VIEWER } from './roles.js';
import { NOTHING, type RouteTable } from './route.js';

const edits = z.array(fileEditSchema).max(20).default([]);

/** The prompts of the project: what there is, how it is composed, and saving what a person wrote. */
export const LIBRARY_ROUTES = {
  listLibrary: {
    method: 'GET',
    path: '/library',
    summary: 'Every target of the project, and problems that belong to none.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ targets: z.array(libraryEntrySchema), diagnostics: z.array(diagnosticSchema) }),
    tellsNames: true,
    roles: VIEWER,
  },
  getSource: {
    method: 'GET',
    path: '/library/source',
    summary: 'The files that a target is made of, and what it takes.',
    params: NOTHING,
    query: z.strictObject({ target: targetSchema }),
    answer: targetSourceSchema,
    roles: OPERATOR,
  },
  renderTarget: {
    method: 'POST',
    path: '/library/render',
    summary:
      'A target composed as `render` does, with edits that are not saved and as it is saved. No model is called.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({
      target: targetSchema,
      /** By name. Left out: the author's examples. */
      input: z.record(z.string(), jsonSchema).optional(),
      edits,
      /** Shows confidential words. */
      reveal: z.boolean().default(false),
    }),
    maxBody: 4 * 1024 * 1024,
    answer: renderedSchema,
    roles: OPERATOR,
  },
  findReached: {
    method: 'POST',
    path: '/library/reach',
    summary: 'Which targets edits would give new bytes.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ edits }),
    maxBody: 4 * 1024 * 1024,
    answer: z.object({ reached: z.array(reachedSchema) }),
    tellsNames: true,
    roles: OPERATOR,
  },
  saveFile: {
    method: 'PUT',
    path: '/library/file',
    summary:
      'Saves a role template, a sheet, a text that a sheet includes, or a new team file. Refused where it was changed meanwhile.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({
      path: pathSchema,
      text: fileTextSchema,
      /** The hash of what was read, or `absent` for a file that must not be there yet. */
      ifMatch: z.union([z.literal('absent'), z.string().regex(/^[0-9a-f]{64}$/)]),
    }),
    maxBody: 4 * 1024 * 1024,
    answer: savedFileSchema,
    roles: OPERATOR,
  },
} as const satisfies RouteTable;
