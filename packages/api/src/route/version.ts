import { libraryVersionSchema } from '../schema/platform.js';
import {
  libraryRequestSchema,
  librarySignatureSchema,
  pinnedSchema,
  publishedLibrarySchema,
  scenarioIdSchema as scenario,
  verifiedVersionSchema,
  scenarioVersionSchema as version,
  versionDiffSchema,
  versionDraftSchema,
} from '../schema/version.js';
import * as z from '../zod.js';
import { COMMAND, DONE, NOTHING, type RouteTable } from './route.js';

const SCENARIO = z.strictObject({ scenario });
const VERSION = z.strictObject({ scenario, version });
const PEOPLE = ['platform:owner', 'platform:reviewer', 'platform:publisher', 'platform:auditor'];
const PUBLISHER = ['platform:publisher'];
const REVIEWER = ['platform:reviewer'];

/** What can be asked of the library of a platform. */
export const VERSION_ROUTES = {
  listVersions: {
    method: 'GET',
    path: '/platform/library',
    summary:
      'Every version of a scenario, from those that wait for a review to those that were retired, with who has it.',
    params: NOTHING,
    query: NOTHING,
    answer: z.object({ versions: z.array(libraryVersionSchema) }),
    roles: PEOPLE,
  },
  proposeVersion: {
    method: 'POST',
    path: '/platform/library/{scenario}',
    summary:
      'Puts a new version on record, waiting for a review. It takes the place of one that is not signed yet, under a new number.',
    params: SCENARIO,
    query: NOTHING,
    body: versionDraftSchema,
    answer: z.object({ scenario: z.string(), version: z.int(), status: z.string() }),
    roles: PUBLISHER,
  },
  verifyVersion: {
    method: 'GET',
    path: '/platform/library/{scenario}/{version}',
    summary: 'Opens a version in the store, however old, and verifies it from the root on.',
    params: VERSION,
    query: NOTHING,
    answer: verifiedVersionSchema,
    roles: PEOPLE,
  },
  diffVersion: {
    method: 'GET',
    path: '/platform/library/{scenario}/{version}/diff',
    summary:
      'What a version changes against another, by default the assigned one: obligations, parameters, reach.',
    params: VERSION,
    query: z.strictObject({ against: version.optional() }),
    answer: versionDiffSchema,
    roles: PEOPLE,
  },
  approveVersion: {
    method: 'POST',
    path: '/platform/library/{scenario}/{version}/approve',
    summary:
      'Approves a version that waits. Its number always names the same words. Nobody decides on their own.',
    params: VERSION,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: REVIEWER,
  },
  rejectVersion: {
    method: 'POST',
    path: '/platform/library/{scenario}/{version}/reject',
    summary: 'Rejects a version that waits, with the reason that its author reads.',
    params: VERSION,
    query: NOTHING,
    body: COMMAND.extend({ reason: z.string().min(1).max(2000) }),
    answer: DONE,
    roles: REVIEWER,
  },
  getLibraryRequest: {
    method: 'GET',
    path: '/platform/library-request',
    summary: 'All that is to be signed, to be carried to the machine of the library’s key.',
    params: NOTHING,
    query: NOTHING,
    answer: libraryRequestSchema,
    roles: PUBLISHER,
  },
  publishLibrary: {
    method: 'POST',
    path: '/platform/library-signature',
    summary: 'Takes a signed list, if it is about the words on record. The same one again changes nothing.',
    params: NOTHING,
    query: NOTHING,
    body: librarySignatureSchema,
    answer: publishedLibrarySchema,
    roles: PUBLISHER,
    maxBody: 8 * 1024 * 1024,
  },
  pinVersion: {
    method: 'PUT',
    path: '/platform/library/{scenario}/pin',
    summary:
      'Assigns a listed version to everybody who is in no experiment about it, with the next publication.',
    params: SCENARIO,
    query: NOTHING,
    body: z.strictObject({ version: z.int().min(1) }),
    answer: pinnedSchema,
    roles: PUBLISHER,
  },
  rollBackVersion: {
    method: 'POST',
    path: '/platform/library/{scenario}/rollback',
    summary:
      'Assigns the version that was assigned before. `from` names the version that is assigned now: two requests at once go one step back, not two.',
    params: SCENARIO,
    query: NOTHING,
    body: COMMAND.extend({ from: z.int().min(1).optional() }),
    answer: pinnedSchema,
    roles: PUBLISHER,
  },
  retireVersion: {
    method: 'POST',
    path: '/platform/library/{scenario}/{version}/retire',
    summary: 'Takes a version out with the next signature. It stays readable.',
    params: VERSION,
    query: NOTHING,
    body: COMMAND,
    answer: DONE,
    roles: PUBLISHER,
  },
} as const satisfies RouteTable;
