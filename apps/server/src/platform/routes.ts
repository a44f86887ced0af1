import { PLATFORM_ROUTES } from '@cuebook/api';
import { type CardDraft, placeSchema, prepareCard, readDraft } from '@cuebook/bundle';
import {
  type AgentRecord,
  acceptProposal,
  ackFeed,
  approveCard,
  beginAdmission,
  beginSession,
  compareOutcomes,
  findAgent,
  findChallenge,
  findLibrary,
  finishAdmission,
  giveFeedback,
  issueCredential,
  issueUpload,
  listAgents,
  listEvents,
  listExperiments,
  listJobs,
  listPlaces,
  listProposals,
  type PlatformParts,
  publishApproved,
  putPlace,
  readAudit,
  readFeed,
  readPage,
  recommendGroups,
  rejectCard,
  rejectProposal,
  revokeAdmission,
  saveCard,
  sessionChallenge,
  setJob,
  type TryCases,
  tellPlaces,
  verifyPublished,
  viewCard,
  viewFleet,
  viewHealth,
  viewPublished,
  viewScenarios,
} from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';
import { badField, type HttpError, notFound } from '../http/error.js';
import { type AnyGroup, routeGroup } from '../http/group.js';
import { badPart, done } from './answer.js';
import type { Clerk } from './clerk.js';
import { experimentHandlers } from './experiment-routes.js';
import { maySee } from './may-see.js';
import { versionHandlers } from './version-routes.js';

/** The routes of a platform. What they answer is made by the platform; here is only who may see what of it. */
export const platformRoutes = (platform: PlatformParts, clerk: Clerk, tryCases?: TryCases): AnyGroup =>
  routeGroup(PLATFORM_ROUTES, {
    getPlatform: async () => ok(await overview(platform)),
    listCards: async ({ query: { status } }, { by }) => {
      const records = (await listAgents(platform)).filter((record) => maySee(by, record));
      const cards = records.map(viewCard).filter((card) => status === undefined || card.status === status);
      return ok({ cards });
    },
    getCard: async ({ params: { agent } }, { by }) => {
      const record = await findAgent(platform, agent);
      return record !== undefined && maySee(by, record) ? ok(viewCard(record)) : fail(NO_CARD);
    },
    listGroups: async ({ params: { agent } }, { by }) => {
      const record = await findAgent(platform, agent);
      if (record === undefined || !maySee(by, record)) return fail(NO_CARD);
      const groups = await recommendGroups(platform, agent);
      return groups.ok ? ok({ agent, groups: groups.value }) : fail(NO_CARD);
    },
    explainGroups: async ({ params: { agent }, body: { provider, model } }, { by, signal }) => {
      const record = await findAgent(platform, agent);
      if (record === undefined || !maySee(by, record)) return fail(NO_CARD);
      const groups = await clerk.groups(agent, { by: by.name, provider, model, signal });
      return groups.ok ? ok({ agent, groups: groups.value }) : done(groups, 'The groups');
    },
    makeEvent: async ({ body: { date, provider, model } }, { by, signal }) => {
      const day = date ?? new Date(platform.now()).toISOString().slice(0, 10);
      const event = await clerk.event(day, { by: by.name, provider, model, signal });
      return event.ok ? event : done(event, 'The event');
    },
    listJobs: async () => ok({ jobs: await listJobs(platform) }),
    setJob: async ({ params: { job }, body: { on, provider, model } }, { by }) => {
      const asked = { ...(provider && { provider }), ...(model && { model }) };
      return done(await setJob(platform, { job, on, by: by.name, ...asked }), 'The job');
    },
    previewCard: async ({ body }) => {
      const draft = requireDraft(body);
      return draft.ok ? done(prepareCard(draft.value, 1), 'The card') : draft;
    },
    saveCard: async ({ params: { agent }, body }, { by }) => {
      if (body.agent_id !== agent) return fail(badField('agent_id', 'is not the one of the address'));
      const draft = requireDraft(body);
      if (!draft.ok) return draft;
      const saved = await saveCard(platform, by.name, draft.value);
      if (!saved.ok) return done(saved, 'The card');
      const groups = await recommendGroups(platform, agent);
      return ok({ ...viewCard(saved.value), groups: groups.ok ? groups.value : [] });
    },
    approveCard: async ({ params: { agent }, body: { cardVersion, review } }, { by }) => {
      const command = { agent, by: by.name, cardVersion };
      const approved = await approveCard(platform, command, Buffer.from(review));
      return approved.ok ? ok(viewCard(approved.value)) : done(approved, 'The card');
    },
    rejectCard: async ({ params: { agent }, body: { cardVersion, reason } }, { by }) => {
      const rejected = await rejectCard(platform, { agent, by: by.name, cardVersion, reason });
      return rejected.ok ? ok(viewCard(rejected.value)) : done(rejected, 'The card');
    },
    publish: async ({ body: { agents, again = false } }, { by }) =>
      done(
        await publishApproved(platform, { by: by.name, again, ...(agents === undefined ? {} : { agents }) }),
        'Nothing was published',
      ),
    getBundle: async ({ params: { agent } }, { by }) => {
      const record = await findAgent(platform, agent);
      if (record === undefined || !maySee(by, record)) return fail(NO_CARD);
      const found = record.published === undefined ? undefined : await verifyPublished(platform, agent);
      const verification =
        found === undefined
          ? null
          : found.ok
            ? ({ ok: true, ...found.value } as const)
            : ({ ok: false, error: { code: found.error.code, reason: found.error.reason } } as const);
      return ok({
        agent,
        published: record.published === undefined ? null : viewPublished(record.published),
        verification,
      });
    },
    ...versionHandlers(platform, tryCases),
    getFleet: async ({ query }) => ok(await viewFleet(platform, query)),
    getHealth: async () => ok(await viewHealth(platform)),
    readAudit: async ({ query: { after, limit, agent } }) =>
      ok({
        entries: await readAudit(platform, { after, limit, ...(agent === undefined ? {} : { agent }) }),
      }),
    readFeed: async ({ params: { name }, query: { prefix } }) =>
      ok({ written: await readFeed(platform, { name, prefix }) }),
    ackFeed: async ({ params: { name }, body: { position } }) => {
      const acked = await ackFeed(platform, name, position);
      return acked.ok ? ok({ done: true }) : done(acked, 'The feed');
    },
    putPlace: async ({ params: { kind, id }, body }, { by }) => {
      if (body.kind !== kind || body.id !== id) return fail(badField('id', 'is not the one of the address'));
      const place = placeSchema.safeParse(body);
      if (!place.success) return fail(badPart(place.error.issues));
      return done(await putPlace(platform, place.data, by.name), 'The place');
    },
    getPage: async ({ params }) => {
      const page = await readPage(platform, params);
      if (!page.ok) return done(page, 'The place');
      return page.value === undefined ? fail(NO_PLACE) : ok(page.value);
    },
    listProposals: async () => ok({ proposals: await listProposals(platform) }),
    acceptProposal: async ({ params }, { by }) => {
      const place = await acceptProposal(platform, params, by.name);
      return place.ok ? ok({ place: place.value }) : done(place, 'The proposal');
    },
    rejectProposal: async ({ params, body: { reason } }) => {
      const rejected = await rejectProposal(platform, params, reason);
      return rejected.ok ? ok({ done: true }) : done(rejected, 'The proposal');
    },
    giveFeedback: async ({ params: { agent }, body: { about, text } }, { by }) =>
      done(await giveFeedback(platform, { agent, about, text, by: by.name }), 'The feedback'),
    ...experimentHandlers(platform),
    beginAdmission: async ({ params: { agent }, body: { newKey } }, { by }) =>
      done(
        await beginAdmission(platform, { agent, by: by.name, ...(newKey === undefined ? {} : { newKey }) }),
        'The admission',
      ),
    getChallenge: async ({ params: { agent } }) => {
      const challenge = await findChallenge(platform, agent);
      return challenge === undefined ? fail(NO_CHALLENGE) : ok(challenge);
    },
    finishAdmission: async ({ body }) => done(await finishAdmission(platform, body), 'The admission'),
    askSession: async ({ body: { agent } }) => ok(sessionChallenge(platform, agent)),
    openSession: async ({ body }) => done(await beginSession(platform, body), 'The session'),
    issueCredential: async ({ body: { purpose, lifetimeSeconds } }, { by }) => {
      if (purpose.kind === 'registry') {
        const told = await tellPlaces(platform, by.name);
        if (!told.ok) return done(told, 'The places');
      }
      const lifetimeMs = lifetimeSeconds === undefined ? {} : { lifetimeMs: lifetimeSeconds * 1000 };
      return done(
        await issueCredential(platform, { agent: by.name, purpose, ...lifetimeMs }),
        'The credential',
      );
    },
    issueUpload: async ({ body: { purpose, key, length } }, { by }) =>
      done(await issueUpload(platform, { agent: by.name, purpose, key, length }), 'The address'),
    revokeAdmission: async ({ params: { agent } }, { by }) => {
      const revoked = await revokeAdmission(platform, { agent, by: by.name });
      return revoked.ok ? ok({ done: true }) : done(revoked, 'The admission');
    },
  });

async function overview(platform: PlatformParts) {
  const agents = await listAgents(platform);
  const count = (test: (record: AgentRecord) => boolean) => agents.filter(test).length;
  const experiments = [];
  for (const experiment of await listExperiments(platform))
    experiments.push({ ...experiment, outcomes: await compareOutcomes(platform, experiment.id) });
  return {
    name: platform.name,
    cards: agents.length,
    pending: count(({ review }) => review.status === 'pending'),
    published: count(({ published }) => published !== undefined),
    admitted: count(({ admission }) => admission.status === 'admitted'),
    asking: agents.flatMap(({ agent, admission }) =>
      admission.asked !== undefined && admission.status !== 'admitted' ? [agent] : [],
    ),
    scenarios: viewScenarios(await findLibrary(platform)),
    places: (await listPlaces(platform)).map(({ place, version, by }) => ({ place, version, by })),
    events: await listEvents(platform),
    experiments,
  };
}

/** The draft of a request, in the words that a card may hold. */
function requireDraft(body: unknown): Result<CardDraft, HttpError> {
  const draft = readDraft(body);
  if (draft.ok) return draft;
  return fail(badPart('problems' in draft.error ? draft.error.problems : []));
}

const NO_CARD = notFound('E_REVIEW', 'There is no such card.');
const NO_PLACE = notFound('E_PROPOSAL', 'There is no such place, or its manifest is not certified.');
const NO_CHALLENGE = notFound('E_ADMISSION', 'No challenge is open for this agent.');
