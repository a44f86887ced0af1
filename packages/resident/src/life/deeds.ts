import { clip, KEYS, MESSAGE_IDS } from '@cuebook/bundle';
import type { MessageSight, Peer, SaidInGroup, Sight, TaskSight } from '../look/sight.js';
import { artifactKey, reviewKey, reviews } from '../look/tasks.js';
import { spelledDay } from '../owner-time.js';
import type { Deed } from './deed.js';
import type { Options } from './state.js';
import {
  activityText,
  choiceText,
  loadText,
  relationshipsText,
  selfStateText,
  signalsText,
  type World,
  weightsText,
} from './world.js';

/** What an agent could say on each occasion. Whether it does is planned elsewhere. Pure. */

/** What a deed is known by: its object, or its scenario where it has none. */
export const nameOf = ({ key, scenario }: Pick<Deed, 'key' | 'scenario'>): string =>
  key === '' ? scenario : key;

export const intros = ({ agent, sight }: World): readonly Deed[] =>
  sight.topics.flatMap(({ topic, title, mode, own }) => {
    const id = MESSAGE_IDS.intro(sight.self.cardVersion);
    if (mode !== 'intro_once' || own.includes(id)) return [];
    const key = KEYS.message(topic, agent, id);
    return [{ scenario: 'intro', key, topic, title, values: {}, sources: {} }];
  });

export const checkins = (world: World): readonly Deed[] =>
  world.sight.topics.flatMap(({ topic, title, mode, own, day, policy, requests }) => {
    if (mode !== 'daily_checkin' || own.includes(day)) return [];
    const requestId = (type: string) => MESSAGE_IDS.request(type, day, requests + 1);
    return [
      {
        scenario: 'daily_checkin',
        key: KEYS.message(topic, world.agent, day),
        topic,
        title,
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

export const goals = (world: World): Deed => ({
  scenario: 'daily_goals',
  key: '',
  day: world.day,
  values: { date: spelledDay(world.day), self_state: selfStateText(world) },
  sources: {},
});

export const report = (world: World): Deed => ({
  scenario: 'daily_report',
  key: '',
  day: world.day,
  values: { date: spelledDay(world.day), activity: activityText(world) },
  sources: {},
});

export function reply(world: World, message: MessageSight): Deed {
  const { agent } = world;
  const { key, topic, from, text } = message;
  const before = wordsBefore(world, message);
  const title = world.sight.topics.find((each) => each.topic === topic)?.title;
  return {
    scenario: 'reply',
    key: KEYS.message(topic, agent, MESSAGE_IDS.reply(from, key)),
    topic,
    ...(title !== undefined && { title }),
    to: from,
    replyTo: key,
    values: {
      ...(before.length > 0 && {
        chat_history: before
          .map((said) => `${said.from === agent ? 'you' : said.name}: ${said.text}`)
          .join('\n'),
      }),
      incoming_message: text,
    },
    sources: { incoming_message: key, chat_history: `topics/${topic}` },
  };
}

/** What the two have said to each other; in a group, what was said there before the message. */
function wordsBefore(
  { state }: World,
  { key, from, name, toSelf, before }: MessageSight,
): readonly SaidInGroup[] {
  const talk = Object.hasOwn(state.talks, from) ? (state.talks[from] ?? []) : [];
  const said = talk.filter((each) => each.key !== key).map((each) => ({ ...each, name }));
  if (!toSelf || said.length === 0) return before;
  return said;
}

export function greeting(agent: string, { topics }: Sight, { agent: to, score }: Peer): Deed | undefined {
  const topic = topics.find(({ mode }) => mode === 'freeform');
  if (score <= 0 || topic === undefined) return undefined;
  const id = MESSAGE_IDS.greeting(to, topic.day);
  if (topic.own.includes(id)) return undefined;
  return {
    scenario: 'greeting',
    key: KEYS.message(topic.topic, agent, id),
    topic: topic.topic,
    title: topic.title,
    to,
    target: to,
    values: { match_score: String(score) },
    sources: {},
  };
}

/** What a role asks for: a reviewer reviews what the others made, everybody else makes their part. */
export function work({ agent }: World, task: TaskSight): readonly Deed[] {
  const about = { task: task.task, title: task.title, sources: { task_manifest: task.key } };
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

/** Whether it takes part in a task, for an agent that does not and has not said so. */
export function answer(world: World, task: TaskSight): Deed | undefined {
  const { agent } = world;
  if (task.role !== null || task.answered) return undefined;
  const relationships = relationshipsText(world, task);
  return {
    scenario: 'collab_join',
    key: KEYS.taskAnswer(task.task, agent),
    task: task.task,
    title: task.title,
    values: {
      task_manifest: task.summary,
      current_load: loadText(world),
      ...(relationships !== undefined && { relationships }),
    },
    sources: { task_manifest: task.key },
  };
}

export const proposals = (world: World): readonly Deed[] =>
  world.sight.topics.flatMap(({ topic, title, day, requests, policy }) => {
    if (!policy.allowed || !policy.allowed_types.includes('propose_task')) return [];
    const id = MESSAGE_IDS.request('propose_task', day, requests + 1);
    return [
      {
        scenario: 'collab_propose',
        key: KEYS.request(topic, world.agent, id),
        topic,
        title,
        values: { signals: signalsText(world) },
        sources: {},
      },
    ];
  });

export const motivation = (world: World, options: Options): Deed => ({
  scenario: 'motivation',
  key: '',
  values: { signals: choiceText(world, options), behaviour_weights: weightsText(world.state) },
  sources: {},
});
