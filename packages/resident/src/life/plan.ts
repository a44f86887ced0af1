import { actionOfKey } from '@cuebook/bundle';
import type { MessageSight, Sight, TaskSight } from '../look/sight.js';
import { ownerTime } from '../owner-time.js';
import type { Deed, Utterance } from './deed.js';
import {
  answer,
  checkins,
  goals,
  greeting,
  intros,
  motivation,
  nameOf,
  proposals,
  reply,
  report,
  work,
} from './deeds.js';
import { dayBegun } from './project.js';
import type { Options, Planned, ResidentState, TakenFeedback } from './state.js';
import { planWish } from './wish.js';
import { newsOf, openWork, type World } from './world.js';

/** What comes of a look: what is to be done now, in order, and what an idle agent could do. Pure. */
export interface Plan {
  readonly feedback: readonly TakenFeedback[];
  readonly planned: Planned;
  /** Why what the owner asked for cannot be done. */
  readonly refused?: string;
}

/** How much of one kind is done in a round; how much work an agent takes on by itself; how many options it is shown. */
const MOST = { replies: 5, greetings: 3, repliesADay: 3, tries: 3, work: 3, options: 5 } as const;

export function planRound(state: ResidentState, sight: Sight, now: number): Plan {
  const zone = state.config?.zone ?? 'UTC';
  const { day } = ownerTime(now, zone);
  const isNewDay = state.day !== day;
  const begun = isNewDay ? dayBegun(state, day) : state;
  const world: World = { agent: state.agent ?? '', state: begun, sight, day, now };
  const done = state.wish === null ? roundOf(world, isNewDay) : wishOf(world, state.wish);
  return {
    feedback: feedbackOf(world),
    planned: {
      ...{ deeds: done.deeds, options: done.options, thinks: done.thinks },
      ...(done.thinks && { signals: done.signals }),
      online: sight.peers.map((peer) => peer.agent).sort(),
      heard: sight.messages
        .filter(({ toSelf }) => toSelf)
        .map(({ from, text, key }): Utterance => ({ from, text, key })),
      names: Object.fromEntries(sight.peers.map(({ agent, name }) => [agent, name])),
      together: sight.tasks.flatMap(({ task, role, others }) =>
        role === null ? [] : [{ task, with: others.map(({ agent }) => agent) }],
      ),
      skipped: sight.skipped,
      at: now,
    },
    ...(done.refused !== undefined && { refused: done.refused }),
  };
}

interface Round {
  readonly deeds: readonly Deed[];
  readonly options: Options;
  readonly thinks: boolean;
  /** What is going on, in short: the same says that nothing is new. */
  readonly signals: string;
  readonly refused?: string;
}

/** What its duties are, what it does by itself, and its report; a thought when there is nothing of all that. */
function roundOf(world: World, isNewDay: boolean): Round {
  const { state, sight, now } = world;
  const { hour } = ownerTime(now, state.config?.zone ?? 'UTC');
  const ready = (deeds: readonly (Deed | undefined)[]) =>
    deeds.filter((deed) => isOpen(world, deed)) as Deed[];
  const { enabled, auto_accept_matching } = sight.self.autonomous;
  const duties = ready([
    ...intros(world),
    ...checkins(world),
    state.today.daily_goals === undefined ? goals(world) : undefined,
    ...sight.messages
      .filter(({ toSelf }) => toSelf)
      .slice(0, MOST.replies)
      .map((message) => replyOf(world, message)),
    ...sight.tasks.flatMap((task) => work(world, task)),
  ]);
  const mayJoin = auto_accept_matching && openWork(sight).length < MOST.work;
  const own = enabled
    ? ready([
        ...greetings(world).slice(0, MOST.greetings),
        ...(mayJoin ? askedTasks(world) : []).slice(0, 1).map((task) => answer(world, task)),
      ])
    : [];
  const isReportTime = !isNewDay && hour >= (state.config?.reportHour ?? 21);
  const reports = ready([isReportTime && state.today.daily_report === undefined ? report(world) : undefined]);
  const isSilent = state.config?.silent === true;
  const deeds = isSilent ? [] : [...duties, ...own, ...reports];
  const isIdle = now - state.thoughtAt >= (state.config?.idleMs ?? 0);
  const signals = newsOf(world);
  const thinks = !isSilent && enabled && deeds.length === 0 && isIdle && signals !== state.signals;
  const options = thinks ? optionsOf(world) : {};
  return { deeds: thinks ? [motivation(world, options)] : deeds, options, thinks, signals };
}

/** What its owner asks for, and nothing else. */
function wishOf(world: World, wish: NonNullable<ResidentState['wish']>): Round {
  const options = wish.scenario === 'motivation' ? optionsOf(world) : {};
  const planned = planWish(world, wish, options);
  if (!planned.ok)
    return { deeds: [], options: {}, thinks: false, signals: newsOf(world), refused: planned.error };
  return { deeds: [planned.value], options, thinks: wish.scenario === 'motivation', signals: newsOf(world) };
}

const feedbackOf = ({ agent, sight }: World): readonly TakenFeedback[] =>
  sight.feedback.flatMap(({ key, id, kind, about, text }) => {
    const action = actionOfKey(about);
    if (action === undefined || !isOwn(about, agent)) return [];
    return [{ key, id, kind, about, action, ...(text !== undefined && { text }) }];
  });

/** What came to nothing several times today waits for tomorrow, and so does what nothing is written of. */
function isOpen({ state, day }: World, deed: Deed | undefined): boolean {
  if (deed === undefined) return false;
  const tried = Object.hasOwn(state.tried, nameOf(deed)) ? state.tried[nameOf(deed)] : undefined;
  return tried === undefined || tried.day !== day || tried.times < MOST.tries;
}

/** A reply, unless the two have talked enough for today. */
const replyOf = (world: World, message: MessageSight): Deed | undefined =>
  (world.state.today[`reply to ${message.from}`] ?? 0) >= MOST.repliesADay
    ? undefined
    : reply(world, message);

/** Agents that were not there at the last look and have something in common. */
const greetings = ({ agent, state, sight }: World): readonly Deed[] =>
  sight.peers
    .filter((peer) => !state.online.includes(peer.agent))
    // Who has written is answered instead.
    .filter((peer) => !sight.messages.some(({ from, toSelf }) => toSelf && from === peer.agent))
    .flatMap((peer) => greeting(agent, sight, peer) ?? []);

/** Tasks that fit: those that name most of what the agent can do first, among them those of its friends. */
function askedTasks({ state, sight }: World): readonly TaskSight[] {
  const friends = ({ others }: TaskSight) =>
    others.filter(({ agent }) => Object.hasOwn(state.known, agent) && state.known[agent]?.friendSince).length;
  return sight.tasks
    .filter(({ fits, role, answered }) => fits > 0 && role === null && !answered)
    .sort((a, b) => b.fits - a.fits || friends(b) - friends(a));
}

/** What each action of an idle agent would be; one that is left out cannot be done now. */
function optionsOf(world: World): Options {
  const { agent, sight } = world;
  const open = (deeds: readonly (Deed | undefined)[]) =>
    deeds.filter((deed) => isOpen(world, deed)).slice(0, MOST.options) as readonly Deed[];
  const found: Required<Omit<Options, 'rest'>> = {
    explore: open(sight.peers.map((peer) => greeting(agent, sight, peer))),
    join_group_chat: open(sight.messages.map((message) => replyOf(world, message))),
    propose_collaboration: open(proposals(world)),
    join_collaboration: open(sight.tasks.map((task) => answer(world, task))),
  };
  return Object.fromEntries(Object.entries(found).filter(([, deeds]) => deeds.length > 0));
}

/** Whether a key is one that this agent wrote. */
const isOwn = (key: string, agent: string): boolean =>
  key.includes(`/messages/${agent}/`) ||
  key.includes(`/requests/${agent}/`) ||
  key.includes(`/agents/${agent}/`);
