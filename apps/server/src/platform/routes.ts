import { prepareCard } from '@cuebook/bundle';
import {
  type AgentRecord,
  ackFeed,
  approveCard,
  beginAdmission,
  beginSession,
  compareOutcomes,
  findAgent,
  findChallenge,
  finishAdmission,
  giveFeedback,
  issueCredential,
  issueUpload,
  listAgents,
  listEvents,
  listExperiments,
  listPlaces,
  type PlatformParts,
  publishApproved,
  putPlace,
  readAudit,
  readFeed,
  readPage,
  recommendGroups,
  rejectCard,
  revokeAdmission,
  saveCard,
  sessionChallenge,
  stepRollout,
  tellPlaces,
  verifyPublished,
  viewCard,
  viewScenarios,
} from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';
import { OWNER, type Principal } from '../http/auth.js';
import { badField, type HttpError, notFound } from '../http/error.js';
import { type AnyGroup, routeGroup } from '../http/group.js';
import { answerOf, done } from './answer.js';
import { PLATFORM_ROUTES } from './table.js';

/** The routes of a platform. What they answer is made by the platform; here is only who may see what of it. */
export const platformRoutes = (platform: PlatformParts): AnyGroup =>
  routeGroup(PLATFORM_ROUTES, {
    getPlatform: async () => ok(await overview(platform)),
    listCards: async ({ query: { status } }, { by }) => {
      const records = (await listAgents(platform)).filter((record) => maySee(by, record));
      const cards = records.map(viewCard).filter((card) => status === undefined || card.status === status);
      return answerOf({ cards });
    },
    getCard: async ({ params: { agent } }, { by }) => {
      const record = await findAgent(platform, agent);
      return record !== undefined && maySee(by, record) ? answerOf(viewCard(record)) : fail(NO_CARD);
    },
    listGroups: async ({ params: { agent } }, { by }) => {
      const record = await findAgent(platform, agent);
      if (record === undefined || !maySee(by, record)) return fail(NO_CARD);
      const groups = await recommendGroups(platform, agent);
      return groups.ok ? answerOf({ agent, groups: groups.value }) : fail(NO_CARD);
    },
    previewCard: async ({ body }) => done(prepareCard(body, 1), 'The card'),
    saveCard: async ({ params: { agent }, body }, { by }) => {
      if (body.agent_id !== agent) return fail(badField('agent_id', 'is not the one of the address'));
      const saved = await saveCard(platform, by.name, body);
      if (!saved.ok) return done(saved, 'The card');
      const groups = await recommendGroups(platform, agent);
      return answerOf({ ...viewCard(saved.value), groups: groups.ok ? groups.value : [] });
    },
    approveCard: async ({ params: { agent }, body: { cardVersion, review } }, { by }) => {
      const command = { agent, by: by.name, cardVersion };
      const approved = await approveCard(platform, command, Buffer.from(review));
      return approved.ok ? answerOf(viewCard(approved.value)) : done(approved, 'The card');
    },
    rejectCard: async ({ params: { agent }, body: { cardVersion, reason } }, { by }) => {
      const rejected = await rejectCard(platform, { agent, by: by.name, cardVersion, reason });
      return rejected.ok ? answerOf(viewCard(rejected.value)) : done(rejected, 'The card');
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
            ? { ok: true, ...found.value }
            : { ok: false, error: found.error };
      return answerOf({ agent, published: record.published ?? null, verification });
    },
    readAudit: async ({ query: { after, limit, agent } }) =>
      answerOf({
        entries: await readAudit(platform, { after, limit, ...(agent === undefined ? {} : { agent }) }),
      }),
    readFeed: async ({ params: { name }, query: { prefix } }) =>
      answerOf({ written: await readFeed(platform, { name, prefix }) }),
    ackFeed: async ({ params: { name }, body: { position } }) => {
      const acked = await ackFeed(platform, name, position);
      return acked.ok ? ok({ done: true }) : (done(acked, 'The feed') as Result<never, HttpError>);
    },
    putPlace: async ({ params: { kind, id }, body }, { by }) =>
      body.kind !== kind || body.id !== id
        ? fail(badField('id', 'is not the one of the address'))
        : done(await putPlace(platform, body, by.name), 'The place'),
    getPage: async ({ params }) => {
      const page = await readPage(platform, params);
      if (!page.ok) return done(page, 'The place');
      return page.value === undefined ? fail(NO_PLACE) : answerOf(page.value);
    },
    giveFeedback: async ({ params: { agent }, body: { about, text } }, { by }) =>
      done(await giveFeedback(platform, { agent, about, text, by: by.name }), 'The feedback'),
    stepRollout: async ({ params: { name }, body: { plan, dryRun = false } }, { by, command }) =>
      done(
        await stepRollout(platform, {
          ...{ experiment: name, by: by.name, command, dryRun },
          ...(plan === undefined ? {} : { plan }),
        }),
        'The rollout',
      ),
    beginAdmission: async ({ params: { agent }, body: { newKey } }, { by }) =>
      done(
        await beginAdmission(platform, { agent, by: by.name, ...(newKey === undefined ? {} : { newKey }) }),
        'The admission',
      ),
    getChallenge: async ({ params: { agent } }) => {
      const challenge = await findChallenge(platform, agent);
      return challenge === undefined ? fail(NO_CHALLENGE) : answerOf(challenge);
    },
    finishAdmission: async ({ body }) => done(await finishAdmission(platform, body), 'The admission'),
    askSession: async ({ body: { agent } }) => answerOf(sessionChallenge(platform, agent)),
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
      return revoked.ok ? ok({ done: true }) : (done(revoked, 'The admission') as Result<never, HttpError>);
    },
  });

/** Owners and agents see what is their own; reviewers, publishers and auditors see all. */
function maySee({ name, roles }: Principal, { agent, review }: AgentRecord): boolean {
  if (roles.some((role) => role === OWNER || ALL_CARDS.has(role))) return true;
  return roles.includes('platform:agent') ? agent === name : review.owner === name;
}

const ALL_CARDS: ReadonlySet<string> = new Set([
  'platform:reviewer',
  'platform:publisher',
  'platform:auditor',
]);

async function overview(platform: PlatformParts) {
  const agents = await listAgents(platform);
  const count = (test: (record: AgentRecord) => boolean) => agents.filter(test).length;
  const experiments = [];
  for (const experiment of await listExperiments(platform))
    experiments.push({ ...experiment, outcomes: await compareOutcomes(platform, experiment.id) });
  return JSON.parse(
    JSON.stringify({
      name: platform.name,
      cards: agents.length,
      pending: count(({ review }) => review.status === 'pending'),
      published: count(({ published }) => published !== undefined),
      admitted: count(({ admission }) => admission.status === 'admitted'),
      scenarios: viewScenarios(platform),
      places: await listPlaces(platform),
      events: await listEvents(platform),
      experiments,
    }),
  );
}

const NO_CARD = notFound('E_REVIEW', 'There is no such card.');
const NO_PLACE = notFound('E_PROPOSAL', 'There is no such place, or its manifest is not certified.');
const NO_CHALLENGE = notFound('E_ADMISSION', 'No challenge is open for this agent.');
