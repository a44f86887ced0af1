import { createHash } from 'node:crypto';
import { clip } from '@cuebook/bundle';
import type { Peer, Sight, TaskSight, TopicSight } from '../look/sight.js';
import { reviews } from '../look/tasks.js';
import { spelledDay } from '../owner-time.js';
import { type Goal, goalOutcome, type PastGoal } from './goal.js';
import { acquaintance } from './known.js';
import type { Options, ResidentState } from './state.js';

/** What a round is planned from. */
export interface World {
  readonly agent: string;
  readonly state: ResidentState;
  readonly sight: Sight;
  /** In the owner's zone. */
  readonly day: string;
  readonly now: number;
}

/** What is going on: who is new, what groups say, what can be joined, what was meant for today, and what people said. */
export const signalsText = (world: World): string =>
  [...aroundLines(world), ...taskLines(world.sight.tasks), ...goalLines(world), ...peopleLines(world)].join(
    '\n',
  );

/** What is going on around the agent on this day, as a short name: the same while nothing changes. */
export const newsOf = (world: World): string =>
  createHash('sha256')
    .update(
      [world.day, ...aroundLines(world), ...taskLines(world.sight.tasks), ...peopleLines(world)].join('\n'),
    )
    .digest('hex')
    .slice(0, 16);

/** The same, with what an idle agent can do now and whom or what it can name for it. */
export const choiceText = (world: World, options: Options): string => {
  const lines = Object.entries(options).map(
    ([action, deeds]) => `${action}: ${deeds.map(({ to, task, topic }) => task ?? to ?? topic).join(', ')}`,
  );
  return [signalsText(world), 'you can do now, and name as target:', ...lines, 'rest'].join('\n');
};

/** How the agent stands on a new day: yesterday's goals, its friends, its open work, and what is going on. */
export const selfStateText = (world: World): string => {
  const { past } = world.state;
  const before = (past?.goals ?? []).map(
    (goal) => `goal of ${spelledDay(past?.day ?? '')}, ${OUTCOMES[goal.outcome]}: ${goalText(goal)}`,
  );
  const friends = friendsOf(world.state).map(({ agent, name }) => named(name, agent));
  return [
    ...before,
    ...(friends.length === 0 ? [] : [`friends: ${listed(friends)}`]),
    ...workLines(world),
    signalsText(world),
  ].join('\n');
};

function aroundLines({ state, sight }: World): readonly string[] {
  const { peers, messages, topics } = sight;
  const fresh = peers.filter(({ agent }) => !state.online.includes(agent));
  const toSelf = messages.filter((message) => message.toSelf);
  const senders = [...new Map(toSelf.map(({ from, name }) => [from, named(name, from)])).values()];
  return [
    `agents online: ${peers.length}${after(peers.map(peerName))}`,
    `new among them: ${fresh.length}${after(fresh.map(peerName))}`,
    `messages to you: ${toSelf.length}${after(senders)}`,
    ...topics.flatMap(groupLine),
  ];
}

/** What happens in a group; nothing of topics in which nobody talks freely. */
function groupLine({ topic, title, activity }: TopicSight): readonly string[] {
  if (activity === undefined) return [];
  const { messages, speakers, newest } = activity;
  const last =
    newest === undefined ? '' : `; the newest by ${named(newest.name, newest.from)}: ${quoted(newest.text)}`;
  return [
    `group ${named(title, topic)}: ${counted(messages, 'message')} of ${counted(speakers, 'agent')}${last}`,
  ];
}

const taskLines = (tasks: readonly TaskSight[]): readonly string[] => [
  `open tasks: ${tasks.length}${after(tasks.map(({ title, task }) => named(title, task)))}`,
];

function goalLines({ state }: World): readonly string[] {
  const done = doneOf(state);
  return state.goals.map((goal) => `goal today, ${OUTCOMES[goalOutcome(goal, done)]}: ${goalText(goal)}`);
}

const peopleLines = ({ state }: World): readonly string[] =>
  state.memory.notes
    .slice(-3)
    .map(
      ({ kind, action, text }) =>
        `a person ${kind === 'like' ? 'liked' : 'commented on'} ${action}${text === undefined ? '' : `: ${text}`}`,
    );

export const weightsText = ({ memory }: ResidentState): string =>
  Object.entries(memory.weights)
    .map(([action, weight]) => `${action} ${weight}`)
    .join('\n');

/** The day for its owner: new friends, who was talked with, what was done, which goals were met, and what is open. */
export const activityText = (world: World): string => {
  const { state } = world;
  const done = doneOf(state);
  const fresh = friendsOf(state).filter(({ since }) => since === state.day);
  const talked = [
    ...new Set(state.deeds.flatMap(({ scenario, to }) => (isTalk(scenario) && to ? [to] : []))),
  ];
  const lines = [
    ...(fresh.length === 0
      ? []
      : [`new friends: ${listed(fresh.map(({ agent, name }) => named(name, agent)))}`]),
    ...(talked.length === 0
      ? []
      : [
          `talked with: ${listed(talked.map((agent) => named(acquaintance(state.known, agent).name, agent)))}`,
        ]),
    ...state.deeds.flatMap(deedLine),
    ...state.goals.map((goal) => `goal, ${OUTCOMES[goalOutcome(goal, done)]}: ${goalText(goal)}`),
    ...LIKED.flatMap((name) => (state.today[name] === undefined ? [] : [`${name}: ${state.today[name]}`])),
    ...workLines(world),
  ];
  return lines.length === 0 ? 'a quiet day' : [...new Set(lines)].join('\n');
};

/** The goals of the day with what became of them so far, and the agent's friends. */
export function dayOf(state: ResidentState): {
  readonly goals: readonly PastGoal[];
  readonly friends: readonly Friend[];
} {
  const done = doneOf(state);
  return {
    goals: state.goals.map((goal) => ({ ...goal, outcome: goalOutcome(goal, done) })),
    friends: friendsOf(state),
  };
}

/** How an agent stands with everybody who takes part in a task; undefined where nobody does. */
export function relationshipsText({ state, sight }: World, { others }: TaskSight): string | undefined {
  const lines = others.map(({ agent, role }) => {
    const { name, heard, said, tasks, friendSince } = acquaintance(state.known, agent);
    const known = sight.peers.find((peer) => peer.agent === agent);
    const now = sight.tasks.filter(
      (task) => task.role !== null && task.others.some((other) => other.agent === agent),
    );
    const shared = new Set([...tasks, ...now.map(({ task }) => task)]).size;
    const facts = [
      `${counted(heard + said, 'message')} between you`,
      `${counted(shared, 'task')} together`,
      ...(friendSince === undefined ? [] : [`friends since ${spelledDay(friendSince)}`]),
      ...(known === undefined ? [] : [`match ${known.score} of 100`]),
    ];
    return `${named(known?.name ?? name, agent)}, ${role}: ${facts.join(', ')}`;
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The work that an agent has taken on and not delivered, and what it did today. */
export function loadText(world: World): string {
  const lines = workLines(world);
  const done = `done today: ${counted(world.state.today.collab_execute ?? 0, 'part')} of tasks`;
  return [...(lines.length === 0 ? ['nothing open'] : lines), done].join('\n');
}

/** Tasks with work that the agent owes. */
export const openWork = ({ tasks }: Sight): readonly TaskSight[] =>
  tasks.filter((task) => task.role !== null && isUndone(task));

const workLines = ({ sight }: World): readonly string[] =>
  openWork(sight)
    .slice(0, 12)
    .map(
      ({ title, role, hours }) =>
        `open: ${role} of "${title}"${hours === undefined ? '' : `, within ${counted(hours, 'hour')}`}`,
    );

const isUndone = ({ role, delivered, toReview }: TaskSight): boolean =>
  reviews(role) ? toReview.length > 0 : !delivered;

interface Friend {
  readonly agent: string;
  readonly name: string;
  readonly since: string;
}

const friendsOf = ({ known }: ResidentState): readonly Friend[] =>
  Object.entries(known).flatMap(([agent, { name, friendSince: since }]) =>
    since === undefined ? [] : [{ agent, name, since }],
  );

/** The scenarios that were done today. */
export const doneOf = ({ deeds }: Pick<ResidentState, 'deeds'>): ReadonlySet<string> =>
  new Set(deeds.map(({ scenario }) => scenario));

const isTalk = (scenario: string): boolean => scenario === 'greeting' || scenario === 'reply';

/** What of a day is told beside its talks. */
function deedLine({ scenario, to, title }: ResidentState['deeds'][number]): readonly string[] {
  const what = DEEDS[scenario];
  if (what === undefined) return [];
  const whose = to === undefined ? '' : ` of ${to}`;
  return [`did: ${what}${whose}${title === undefined ? '' : ` in "${title}"`}`];
}

const DEEDS: Readonly<Record<string, string | undefined>> = {
  intro: 'introduced itself',
  daily_checkin: 'checked in',
  collab_propose: 'proposed something to do together',
  collab_join: 'answered whether to take part',
  collab_execute: 'delivered its part',
  collab_review: 'reviewed the part',
};
const LIKED = ['likes', 'comments'] as const;
const OUTCOMES = { met: 'met', open: 'open', untold: 'not to be told from deeds' } as const;

const goalText = ({ type, description, difficulty }: Goal): string =>
  `${description} (${type}, ${difficulty})`;
const peerName = ({ agent, name }: Peer): string => named(name, agent);
const named = (name: string, id: string): string => (name === id ? id : `${name} (${id})`);
const quoted = (text: string): string => JSON.stringify(clip(text, 120));
const after = (names: readonly string[]): string => (names.length === 0 ? '' : `: ${listed(names)}`);
const listed = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
const MOST_NAMES = 8;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
