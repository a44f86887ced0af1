import { type Action, actionOfKey, clip, KEYS, MESSAGE_IDS } from '@cuebook/bundle';
import type { MessageSight, Peer, Sight, TaskSight } from '../look/sight.js';
import { artifactKey, reviewKey, reviews } from '../look/tasks.js';
import { ownerTime, spelledDay } from '../owner-time.js';
import type { Deed, Utterance } from './deed.js';
import type { Planned, ResidentState, TakenFeedback } from './state.js';
import { activityText, loadText, relationshipsText, signalsText, type World, weightsText } from './world.js';

/** What comes of a look: what is to be done now, in order, and what an idle agent could do. Pure. */
export interface Plan {
  readonly feedback: readonly TakenFeedback[];
  readonly planned: Planned;
}

/** How much of one kind is done in a round. */
const MOST = { replies: 5, greetings: 3, repliesADay: 3, tries: 3 } as const;

export function planRound(state: ResidentState, sight: Sight, now: number): Plan {
  const agent = state.agent ?? '';
  const zone = state.config?.zone ?? 'UTC';
  const { day, hour } = ownerTime(now, zone);
  const isNewDay = state.day !== day;
  const world: World = { agent, state, sight, day, now };
  const ready = (deeds: readonly (Deed | undefined)[]) =>
    deeds.filter((deed) => isOpen(world, deed)) as Deed[];
  const { enabled, auto_accept_matching } = sight.self.autonomous;
  const duties = ready([
    ...intros(world),
    ...checkins(world),
    isNewDay || state.today.daily_goals === undefined ? goals(world) : undefined,
    ...sight.messages
      .filter(({ toSelf }) => toSelf)
      .slice(0, MOST.replies)
      .map((message) => reply(world, message)),
    ...sight.tasks.flatMap((task) => work(world, task)),
  ]);
  const own = enabled
    ? ready([
        ...greetings(world).slice(0, MOST.greetings),
        ...(auto_accept_matching ? sight.tasks.filter(({ fits }) => fits > 0) : [])
          .slice(0, 1)
          .map((task) => answer(world, task)),
      ])
    : [];
  const isReportTime = !isNewDay && hour >= (state.config?.reportHour ?? 21);
  const reports = ready([isReportTime && state.today.daily_report === undefined ? report(world) : undefined]);
  const isSilent = state.config?.silent === true;
  const deeds = isSilent ? [] : [...duties, ...own, ...reports];
  const isIdle = now - state.thoughtAt >= (state.config?.idleMs ?? 0);
  const thinks = !isSilent && enabled && deeds.length === 0 && isIdle;
  return {
    feedback: sight.feedback.flatMap(({ key, id, kind, about, text }) => {
      const action = actionOfKey(about);
      if (action === undefined || !isOwn(about, agent)) return [];
      return [{ key, id, kind, about, action, ...(text !== undefined && { text }) }];
    }),
    planned: {
      deeds: thinks ? [motivation(world)] : deeds,
      options: thinks ? options(world) : {},
      online: sight.peers.map((peer) => peer.agent).sort(),
      heard: sight.messages
        .filter(({ toSelf }) => toSelf)
        .map(({ from, text, key }): Utterance => ({ from, text, key })),
      skipped: sight.skipped,
      thinks,
      at: now,
    },
  };
}

/** What came to nothing several times today waits for tomorrow, and so does what nothing is written of. */
function isOpen({ state, day }: World, deed: Deed | undefined): boolean {
  if (deed === undefined) return false;
  const tried = Object.hasOwn(state.tried, nameOf(deed)) ? state.tried[nameOf(deed)] : undefined;
  return tried === undefined || tried.day !== day || tried.times < MOST.tries;
}

/** What a deed is known by: its object, or its scenario where it has none. */
export const nameOf = ({ key, scenario }: Pick<Deed, 'key' | 'scenario'>): string =>
  key === '' ? scenario : key;

const intros = ({ agent, sight }: World): readonly Deed[] =>
  sight.topics.flatMap(({ topic, mode, own }) => {
    const id = MESSAGE_IDS.intro(sight.self.cardVersion);
    if (mode !== 'intro_once' || own.includes(id)) return [];
    return [{ scenario: 'intro', key: KEYS.message(topic, agent, id), topic, values: {}, sources: {} }];
  });

const checkins = (world: World): readonly Deed[] =>
  world.sight.topics.flatMap(({ topic, mode, own, day, policy, requests }) => {
    if (mode !== 'daily_checkin' || own.includes(day)) return [];
    const requestId = (type: string) => MESSAGE_IDS.request(type, day, requests + 1);
    return [
      {
        scenario: 'daily_checkin',
        key: KEYS.message(topic, world.agent, day),
        topic,
        day,
        policy,
        requestKey: KEYS.request(topic, world.agent, requestId('TYPE')),
        values: {
          date: spelledDay(day),
          signals_summary: signalsText(world),
          proposal_policy_json: JSON.stringify(policy),
        },
        sources: { proposal_policy_json: KEYS.topic(topic) },
      },
    ];
  });

const goals = (world: World): Deed => ({
  scenario: 'daily_goals',
  key: '',
  day: world.day,
  values: { date: spelledDay(world.day), self_state: signalsText(world) },
  sources: {},
});

const report = (world: World): Deed => ({
  scenario: 'daily_report',
  key: '',
  day: world.day,
  values: { date: spelledDay(world.day), activity: activityText(world.state) },
  sources: {},
});

function reply({ agent, state }: World, { key, topic, from, name, text }: MessageSight): Deed | undefined {
  const talk = Object.hasOwn(state.talks, from) ? (state.talks[from] ?? []) : [];
  if ((state.today[`reply to ${from}`] ?? 0) >= MOST.repliesADay) return undefined;
  const before = talk.filter((said) => said.key !== key);
  return {
    scenario: 'reply',
    key: KEYS.message(topic, agent, MESSAGE_IDS.reply(from, key)),
    topic,
    to: from,
    replyTo: key,
    values: {
      ...(before.length > 0 && {
        chat_history: before.map((said) => `${said.from === agent ? 'you' : name}: ${said.text}`).join('\n'),
      }),
      incoming_message: text,
    },
    sources: { incoming_message: key, chat_history: `topics/${topic}` },
  };
}

/** Agents that were not there at the last look and have something in common. */
const greetings = ({ agent, state, sight }: World): readonly Deed[] =>
  sight.peers
    .filter((peer) => !state.online.includes(peer.agent))
    // Who has written is answered instead.
    .filter((peer) => !sight.messages.some(({ from, toSelf }) => toSelf && from === peer.agent))
    .flatMap((peer) => greeting(agent, sight, peer) ?? []);

function greeting(agent: string, { topics }: Sight, { agent: to, score }: Peer): Deed | undefined {
  const topic = topics.find(({ mode }) => mode === 'freeform');
  if (score <= 0 || topic === undefined) return undefined;
  const id = MESSAGE_IDS.greeting(to, topic.day);
  if (topic.own.includes(id)) return undefined;
  return {
    scenario: 'greeting',
    key: KEYS.message(topic.topic, agent, id),
    topic: topic.topic,
    to,
    target: to,
    values: { match_score: String(score) },
    sources: {},
  };
}

/** What a role asks for: a reviewer reviews what the others made, everybody else makes their part. */
function work({ agent }: World, task: TaskSight): readonly Deed[] {
  const about = { task: task.task, sources: { task_manifest: task.key } };
  if (reviews(task.role))
    return task.toReview.map((piece) => ({
      ...about,
      scenario: 'collab_review',
      key: reviewKey(task.task, agent, piece.agent),
      to: piece.agent,
      values: { task_manifest: task.summary, artifact: piece.text },
      sources: { task_manifest: task.key, artifact: piece.key },
    }));
  if (task.role === null || task.delivered) return [];
  const soFar = task.work.map((piece) => `${piece.agent}: ${clip(piece.text, 2000)}`).join('\n');
  return [
    {
      ...about,
      scenario: 'collab_execute',
      key: artifactKey(task.task, agent),
      values: { task_manifest: task.summary, role: task.role, ...(soFar !== '' && { work_so_far: soFar }) },
    },
  ];
}

function answer(world: World, task: TaskSight): Deed | undefined {
  const { agent } = world;
  if (task.role !== null || task.answered) return undefined;
  const relationships = relationshipsText(world, task);
  return {
    scenario: 'collab_join',
    key: KEYS.taskAnswer(task.task, agent),
    task: task.task,
    values: {
      task_manifest: task.summary,
      current_load: loadText(world),
      ...(relationships !== undefined && { relationships }),
    },
    sources: { task_manifest: task.key },
  };
}

function propose(world: World): Deed | undefined {
  const topic = world.sight.topics.find(
    ({ policy }) => policy.allowed && policy.allowed_types.includes('propose_task'),
  );
  if (topic === undefined) return undefined;
  const id = MESSAGE_IDS.request('propose_task', topic.day, topic.requests + 1);
  return {
    scenario: 'collab_propose',
    key: KEYS.request(topic.topic, world.agent, id),
    topic: topic.topic,
    values: { signals: signalsText(world) },
    sources: {},
  };
}

const motivation = (world: World): Deed => ({
  scenario: 'motivation',
  key: '',
  values: { signals: signalsText(world), behaviour_weights: weightsText(world.state) },
  sources: {},
});

/** What each action of an idle agent would be; one that is left out cannot be done now. */
function options(world: World): Readonly<Partial<Record<Action, Deed>>> {
  const { agent, sight } = world;
  const first = (deeds: readonly (Deed | undefined)[]) => deeds.find((deed) => isOpen(world, deed));
  const found = {
    explore: first(sight.peers.map((peer) => greeting(agent, sight, peer))),
    join_group_chat: first(sight.messages.map((message) => reply(world, message))),
    propose_collaboration: first([propose(world)]),
    join_collaboration: first(sight.tasks.map((task) => answer(world, task))),
  };
  return Object.fromEntries(Object.entries(found).filter(([, deed]) => deed !== undefined));
}

/** Whether a key is one that this agent wrote. */
const isOwn = (key: string, agent: string): boolean =>
  key.includes(`/messages/${agent}/`) ||
  key.includes(`/requests/${agent}/`) ||
  key.includes(`/agents/${agent}/`);
