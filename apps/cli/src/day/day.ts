import {
  type CardDraft,
  createKey,
  type Objects,
  type Topic,
  type TrustAnchor,
  topicSchema,
} from '@cuebook/bundle';
import { manualClock, type TurnRecorder } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { Store } from '@cuebook/journal';
import { putPlace, renewPlatform } from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';
import {
  agentFolder,
  createResident,
  openDesk,
  RESIDENT_DEFAULTS,
  type ResidentVoice,
  residentRun,
} from '@cuebook/resident';
import { attend, tellAll } from './clerk.js';
import { type Happening, meet } from './happening.js';
import type { Inhabitant } from './inhabitant.js';
import { type DayNote, notesOf } from './notes.js';
import { type DayReport, reportOf } from './report.js';
import { scopedObjects } from './scoped.js';
import {
  admitAgent,
  anchorOf,
  openTown,
  PUBLISHER,
  publishCard,
  refuse,
  type Town,
  type TownError,
} from './town.js';

export interface DayOptions {
  /** Where platform and agents keep their objects. */
  readonly objects: Objects;
  /** The journal of all agents, each with a run of its own. */
  readonly store: Store;
  /** The platform's own journal. */
  readonly platform: Store;
  readonly recorder: TurnRecorder;
  /** A folder for each agent that nobody else reads. */
  readonly home: (agent: string) => Promise<Files>;
  readonly cards: readonly CardDraft[];
  readonly voice: ResidentVoice;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly hours?: number;
  readonly pollMs?: number;
  /** When its agents go on by the clock of the machine: what the platform has signed is renewed then. */
  readonly after?: number;
  /** What comes from outside, by the hour after the start. */
  readonly happenings?: readonly Happening[];
  readonly note?: (note: DayNote) => void;
  /** Told of each agent that moved in: what its trust starts from. */
  readonly moved?: (anchor: TrustAnchor) => Promise<void>;
}

/**
 * A day of several agents on one machine, on a clock of its own: cards reviewed and published, agents admitted,
 * then round after round, with the platform at work in between. Agents take turns, so that a day with the same
 * answers is the same day.
 */
export async function liveDay(options: DayOptions): Promise<Result<DayReport, TownError>> {
  const { start, hours = 17.5, pollMs = 60 * 60_000, happenings = [] } = options;
  const opened = await openTown({ objects: options.objects, store: options.platform, now: start });
  if (!opened.ok) return opened;
  const town = opened.value;
  const people: Inhabitant[] = [];
  for (const draft of options.cards) {
    const moved = await moveIn(town, draft, { ...options, pollMs });
    if (!moved.ok) return moved;
    people.push(moved.value);
    await options.moved?.(anchorOf(town, draft.agent_id));
  }
  const agents = people.map(({ agent }) => agent);
  const furnished = await furnish(town, agents);
  const done = new Set<string>();
  if (!furnished.ok) return furnished;
  const news = (agent: string, at: number, text: string) => options.note?.({ at, agent, text });
  try {
    for (let passed = 0; passed <= hours * HOUR; passed += pollMs) {
      const now = start + passed;
      town.clock.now = now;
      for (const happening of happenings.filter(({ hour }) => isDue(hour, passed, pollMs))) {
        const met = await meet(happening, { town, people, news: (text) => news('platform', now, text) });
        if (!met.ok) return met;
      }
      for (const person of people) {
        const woken = passed === 0 ? await wake(person, pollMs) : ok(undefined);
        if (!woken.ok) return woken;
        await liveOn(person, options, passed, pollMs);
      }
      const attended = await attend(town, agents, done);
      if (!attended.ok) return attended;
      for (const line of attended.value) news('platform', now, line);
    }
    const report = await reportOf(people, options.store);
    if (options.after === undefined || options.after <= town.clock.now) return ok(report);
    town.clock.now = options.after;
    const renewed = await renewPlatform(town.parts, PUBLISHER);
    return renewed.ok ? ok(report) : refuse(renewed.error.code, 'renewal');
  } finally {
    for (const { engine } of people) await engine.stop();
  }
}

const isDue = (hour: number, passed: number, pollMs: number): boolean =>
  hour * HOUR >= passed && hour * HOUR < passed + pollMs;

/** One round of one agent, until it has nothing to do. */
async function liveOn(
  person: Inhabitant,
  { store, note }: DayOptions,
  passed: number,
  pollMs: number,
): Promise<void> {
  const { agent, clock, engine, awake } = person;
  if (!awake) return;
  if (passed > 0) clock.advance(pollMs);
  await engine.drain();
  const { notes, last } = await notesOf(store, agent, person.told, clock.now());
  person.told = last;
  for (const each of notes) note?.(each);
}

async function moveIn(
  town: Town,
  draft: CardDraft,
  options: DayOptions & { readonly pollMs: number },
): Promise<Result<Inhabitant, TownError>> {
  const { start, store, recorder, voice, pollMs } = options;
  const agent = draft.agent_id;
  const { signer } = createKey();
  const key = Buffer.from(signer.publicKey.hex, 'hex').toString('base64');
  const named: CardDraft = { ...draft, agent_public_key: `ed25519:${key}` };
  const published = await publishCard(town, named);
  if (!published.ok) return published;
  const admitted = await admitAgent(town, agent, signer);
  if (!admitted.ok) return admitted;
  const clock = manualClock(start);
  const objects = scopedObjects(town.parts, agent);
  const files = await options.home(agent);
  const made = await files.makeDirectory(agentFolder(agent));
  if (!made.ok) return refuse(made.error.code, agent);
  const path = `${agentFolder(agent)}/trust.json`;
  const desk = openDesk({ ...anchorOf(town, agent), objects, files, path });
  const config = { ...RESIDENT_DEFAULTS, pollMs };
  const engine = createResident({ agent, store, config, clock, desk, recorder, voice, owner: agent });
  return ok({ agent, draft: named, clock, engine, awake: true, told: 0 });
}

async function wake({ agent, engine }: Inhabitant, pollMs: number): Promise<Result<void, TownError>> {
  const started = await engine.start();
  if (!started.ok) return fail({ code: 'E_RESIDENT', at: agent });
  const config = { ...RESIDENT_DEFAULTS, pollMs };
  const start = { id: `day ${agent}`, type: 'resident.start', agent, config } as const;
  const begun = await engine.submit(residentRun(agent), start);
  return begun.ok ? ok(undefined) : fail({ code: 'E_RESIDENT', at: agent });
}

/** Where they meet: an introduction for everybody new, a word a day, and a square to talk. */
async function furnish(town: Town, agents: readonly string[]): Promise<Result<void, TownError>> {
  for (const topic of TOPICS) {
    const placed = await putPlace(town.parts, topic, PUBLISHER);
    if (!placed.ok) return refuse(placed.error.code, topic.id);
  }
  return tellAll(town, agents);
}

const zone = { day_boundary_timezone: 'UTC' };
const TOPICS: readonly Topic[] = [
  { kind: 'topic', id: 'welcome', title: 'Who is here', mode: 'intro_once', rules: zone },
  {
    kind: 'topic',
    id: 'daily',
    title: 'Day by day',
    mode: 'daily_checkin',
    rules: { ...zone, proposal_quota_per_day: 1, proposal_types: ['propose_task'] },
  },
  { kind: 'topic', id: 'square', title: 'The square', mode: 'freeform', rules: zone },
].map((topic) => topicSchema.parse(topic));

const HOUR = 60 * 60_000;
