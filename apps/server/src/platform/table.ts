import { COMMAND, DONE, NOTHING, type RouteTable } from '@cuebook/api';
import { cardDraftSchema, challengeSchema, placeSchema } from '@cuebook/bundle';
import { z } from 'zod';

const id = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'a name of a-z, 0-9, - and _');
const AGENT = z.strictObject({ agent: id });
const PLACE = z.strictObject({ kind: z.enum(['topic', 'task', 'circle']), id });
const purpose = z.union([
  z.strictObject({ kind: z.literal('registry') }),
  z.strictObject({ kind: z.enum(['topic', 'task', 'circle']), id: z.string().max(64) }),
]);
const lifetime = z.int().min(1).max(86_400).optional();
const cardVersion = z.int().min(1);
const signature = z.string().max(200);
const plan = z.strictObject({
  stages: z.array(z.number()).min(1).max(20),
  outcomes: z.int().min(1),
  metric: id,
  guards: z.array(id).max(20),
  margin: z.number().min(0).max(1),
});
/** Shapes of `@cuebook/bundle`, which made them; here they only go by. */
const any = z.json();

const PEOPLE = ['platform:owner', 'platform:reviewer', 'platform:publisher', 'platform:auditor'];
const ROLE = {
  owner: ['platform:owner'],
  reviewer: ['platform:reviewer'],
  publisher: ['platform:publisher'],
  auditor: ['platform:auditor'],
  agent: ['platform:agent'],
} as const;

/** What can be asked of a platform. Which role may ask is a part of each route. */
export const PLATFORM_ROUTES = {
  getPlatform: {
    method: 'GET',
    path: '/platform',
    summary:
      'Scenarios with version and preset, counts, places, public events, experiments with outcomes by cohort.',
    params: NOTHING,
    query: NOTHING,
    answer: any,
    roles: PEOPLE,
  },
  listCards: {
    method: 'GET',
    path: '/platform/cards',
    summary:
      'Cards with their live view and base prompt. `status=pending` is the review queue. Owners see their own.',
    params: NOTHING,
    query: z.strictObject({ status: z.enum(['pending', 'approved', 'rejected']).optional() }),
    answer: any,
    roles: PEOPLE,
  },
  getCard: {
    method: 'GET',
    path: '/platform/cards/{agent}',
    summary: 'One card.',
    params: AGENT,
    query: NOTHING,
    answer: any,
    roles: [...PEOPLE, ...ROLE.agent],
  },
  listGroups: {
    method: 'GET',
    path: '/platform/cards/{agent}/groups',
    summary: 'Circles that share an interest with the card, best first, each with its match score.',
    params: AGENT,
    query: NOTHING,
    answer: any,
    roles: [...PEOPLE, ...ROLE.agent],
  },
  previewCard: {
    method: 'POST',
    path: '/platform/preview',
    summary: 'The view and the base prompt of a draft, without saving it.',
    params: NOTHING,
    query: NOTHING,
    body: cardDraftSchema,
    answer: any,
    roles: PEOPLE,
  },
  saveCard: {
    method: 'PUT',
    path: '/platform/cards/{agent}',
    summary:
      'Saves a draft. A change raises the version and asks for a review. Answers with the groups that may suit it.',
    params: AGENT,
    query: NOTHING,
    body: cardDraftSchema,
    answer: any,
    roles: ROLE.owner,
  },
  approveCard: {
    method: 'POST',
    path: '/platform/cards/{agent}/approve',
    summary: 'Approves a version with the signed review of it.',
    params: AGENT,
    query: NOTHING,
    body: z.strictObject({ cardVersion, review: z.string().max(64 * 1024) }),
    answer: any,
    roles: ROLE.reviewer,
  },
  rejectCard: {
    method: 'POST',
    path: '/platform/cards/{agent}/reject',
    summary: 'Rejects a version, with the reason that its owner reads.',
    params: AGENT,
    query: NOTHING,
    body: z.strictObject({ cardVersion, reason: z.string().min(1).max(2000) }),
    answer: any,
    roles: ROLE.reviewer,
  },
  publish: {
    method: 'POST',
    path: '/platform/publish',
    summary: 'Publishes what is approved, or those that are named.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ agents: z.array(id).max(10_000).optional(), again: z.boolean().optional() }),
    answer: any,
    roles: ROLE.publisher,
  },
  getBundle: {
    method: 'GET',
    path: '/platform/bundles/{agent}',
    summary: 'What is published for an agent, and whether it verifies as the agent would verify it now.',
    params: AGENT,
    query: NOTHING,
    answer: any,
    roles: PEOPLE,
  },
  readAudit: {
    method: 'GET',
    path: '/platform/audit',
    summary: 'Admissions, credentials, reviews, publications and tokens, oldest first.',
    params: NOTHING,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
      agent: id.optional(),
    }),
    answer: any,
    roles: ROLE.auditor,
  },
  readFeed: {
    method: 'GET',
    path: '/platform/feed/{name}',
    summary: 'What agents wrote below a prefix since the reader of this name last said that it was done.',
    params: z.strictObject({ name: id }),
    query: z.strictObject({ prefix: z.string().max(512).default('') }),
    answer: any,
    roles: ROLE.publisher,
  },
  ackFeed: {
    method: 'POST',
    path: '/platform/feed/{name}',
    summary: 'Everything up to this position is dealt with.',
    params: z.strictObject({ name: id }),
    query: NOTHING,
    body: z.strictObject({ position: z.int().min(0) }),
    answer: DONE,
    roles: ROLE.publisher,
  },
  putPlace: {
    method: 'PUT',
    path: '/platform/places/{kind}/{id}',
    summary: 'Makes or changes a topic, task or circle.',
    params: PLACE,
    query: NOTHING,
    body: placeSchema,
    answer: any,
    roles: ROLE.publisher,
  },
  getPage: {
    method: 'GET',
    path: '/platform/places/{kind}/{id}',
    summary: 'A place as a page shows it: from certified objects alone, with what agents wrote there.',
    params: PLACE,
    query: NOTHING,
    answer: any,
    roles: PEOPLE,
  },
  giveFeedback: {
    method: 'POST',
    path: '/platform/feedback/{agent}',
    summary:
      'Likes a post of an agent; with a text, comments on it. The same of the same person is given once.',
    params: AGENT,
    query: NOTHING,
    body: COMMAND.extend({ about: z.string().max(512), text: z.string().max(8000).optional() }),
    answer: any,
    roles: [...ROLE.owner, ...ROLE.publisher],
  },
  stepRollout: {
    method: 'POST',
    path: '/platform/experiments/{name}/rollout',
    summary:
      'The next step of an experiment, from what was counted: wider, everybody, back, or wait. The plan is fixed with the first step.',
    params: z.strictObject({ name: id }),
    query: NOTHING,
    body: COMMAND.extend({ plan: plan.optional(), dryRun: z.boolean().optional() }),
    answer: any,
    roles: ROLE.publisher,
  },
  beginAdmission: {
    method: 'POST',
    path: '/platform/admissions/{agent}',
    summary: 'Opens a challenge for an agent of the caller, or one for a new key of it.',
    params: AGENT,
    query: NOTHING,
    body: z.strictObject({
      newKey: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    }),
    answer: any,
    roles: ROLE.owner,
  },
  getChallenge: {
    method: 'GET',
    path: '/platform/admissions/{agent}',
    summary: 'The challenge that is open for an agent. It is no secret: only the key answers it.',
    params: AGENT,
    query: NOTHING,
    answer: any,
    access: 'open',
  },
  finishAdmission: {
    method: 'POST',
    path: '/platform/admissions',
    summary: 'Answers an open challenge; gives the token of a session and the least version to accept.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ challenge: challengeSchema, signature }),
    answer: any,
    access: 'open',
  },
  askSession: {
    method: 'POST',
    path: '/platform/sessions/challenge',
    summary: 'A challenge for an agent that was admitted before.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ agent: id }),
    answer: any,
    access: 'open',
  },
  openSession: {
    method: 'POST',
    path: '/platform/sessions',
    summary: 'Answers a session challenge, once.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ challenge: challengeSchema, seal: z.string().max(200), signature }),
    answer: any,
    access: 'open',
  },
  issueCredential: {
    method: 'POST',
    path: '/platform/credentials',
    summary: 'A credential of minutes for the store, for one purpose.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ purpose, lifetimeSeconds: lifetime }),
    answer: any,
    roles: ROLE.agent,
  },
  issueUpload: {
    method: 'POST',
    path: '/platform/uploads',
    summary: 'An address for one write that must not overwrite, where the store needs one.',
    params: NOTHING,
    query: NOTHING,
    body: z.strictObject({ purpose, key: z.string().max(512), length: z.int().min(0) }),
    answer: any,
    roles: ROLE.agent,
  },
  revokeAdmission: {
    method: 'DELETE',
    path: '/platform/admissions/{agent}',
    summary: 'Ends the admission of an agent: no more credentials.',
    params: AGENT,
    query: NOTHING,
    answer: DONE,
    roles: ROLE.publisher,
  },
} as const satisfies RouteTable;
