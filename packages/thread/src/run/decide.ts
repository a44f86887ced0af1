import {
  checkInput,
  type DecideContext,
  type DecidedWord,
  type Decision,
  type EngineCommand,
  follow,
  person,
  raiseBudget,
  resolveApproval,
  resolveLimit,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { decideUpdate } from '@cuebook/host';
import { fail, nearest, ok } from '@cuebook/prompt';
import { PLAIN_CHILD } from './child-config.js';
import type { ThreadCommand, UpdateNames } from './command.js';
import type { ThreadConfig } from './config.js';
import { needsPreparing } from './definitions.js';
import type { Events, FrameOpened, ThreadEvent } from './event.js';
import type { Frame } from './frame.js';
import type { Parts } from './parts.js';
import { projectThread } from './project/project.js';
import { findFrame, NEW_THREAD, ROOT, RUN_SCOPE, type ThreadRunState } from './state.js';
import { frameSteps } from './step/frame.js';
import { stopSteps } from './step/stop.js';

type Own<Type extends ThreadCommand['type']> = Extract<ThreadCommand, { readonly type: Type }>;

/** What a command does, and all that follows from it by itself. */
export function decideThread(
  state: ThreadRunState,
  command: ThreadCommand | EngineCommand,
  config: ThreadConfig,
  context: DecideContext,
): Decision<ThreadEvent> {
  const parts = { config, context };
  return follow<ThreadRunState, ThreadCommand, ThreadEvent>(state, command, {
    decide: (own) => decideOwn(state, own, parts),
    next: (after) => nextStep(after, parts),
    project: projectThread,
    now: context.now,
  });
}

function nextStep(state: ThreadRunState, parts: Parts): Events {
  if (state.mode === 'stopping') return stopSteps(state, parts);
  for (const frame of Object.values(state.frames)) {
    const steps = frameSteps(state, frame, parts);
    if (steps.length > 0) return steps;
  }
  return [];
}

function decideOwn(state: ThreadRunState, command: ThreadCommand, parts: Parts): DecidedWord<ThreadEvent> {
  if (command.type === 'thread.start') return start(state, command, parts);
  if (guard('thread.started', state.mode === 'new'))
    return refuse('E_THREAD_NOT_STARTED', 'The thread has not begun: start it first.');
  switch (command.type) {
    case 'thread.say':
      return say(state, command);
    case 'run.update':
      return decideUpdate({ ...usedIn(state, command.own) }, { ...command, own: null });
    case 'thread.stop':
      return ok({
        events:
          state.mode === 'active' ? [{ type: 'thread.stopping', data: { by: person(command.by) } }] : [],
      });
    case 'thread.resume': {
      if (state.pause === null)
        return refuse(
          'E_THREAD_NOT_PAUSED',
          'There is nothing to resume: the thread is at work, or waits for a message.',
        );
      return ok({ events: [{ type: 'thread.resumed', data: { by: person(command.by) } }] });
    }
    case 'approval.resolve':
      return resolve(state, command, parts);
    case 'env.change': {
      const { layer, values } = command;
      const frame = layer === 'thread' ? ROOT : null;
      return ok({ events: [{ type: 'env.set', data: { frame, layer, values } }] });
    }
    case 'budget.raise': {
      const raised = raiseBudget(state.budget, { scope: RUN_SCOPE, ...command });
      return raised.ok ? ok({ events: [raised.value] }) : raised;
    }
  }
}

/** How a thread stands that shall have other definitions. Conversations that have ended need none. */
function usedIn(state: ThreadRunState, { agents, prompts }: UpdateNames) {
  const frames = Object.values(state.frames).filter(({ ended }) => !ended);
  const gone = frames.flatMap(({ agent, prompt, ask, again }) => [
    ...(agent === null || agents.includes(agent) ? [] : [agent.includes(':') ? agent : `agent:${agent}`]),
    ...[prompt, ask?.prompt, again?.prompt].flatMap((name) =>
      typeof name !== 'string' || prompts.includes(name) ? [] : [`prompt:${name}`],
    ),
  ])[0];
  const over = findFrame(state, ROOT)?.ended === true ? 'its session has ended' : undefined;
  return {
    sources: state.sources,
    over,
    gone: guard('thread.update-gone', gone !== undefined) ? gone : undefined,
  };
}

function start(
  state: ThreadRunState,
  command: Own<'thread.start'>,
  { config }: Parts,
): DecidedWord<ThreadEvent> {
  if (guard('thread.once', state.mode !== 'new'))
    return refuse('E_THREAD_STARTED', 'The thread has begun already: say something to it.');
  const { agent: name, message, env, account, instance, by } = command;
  const agent = config.catalog.agents.get(name);
  if (agent === undefined || !config.catalog.prompts.has(agent.data.sideA.prompt)) {
    const meant = nearest(name, config.catalog.agents.keys());
    const hint = meant === undefined || meant === name ? '' : ` Did you mean ${meant}?`;
    return refuse('E_THREAD_AGENT', `No agent that can run is called "${name}".${hint}`);
  }
  const limit = resolveLimit(command.budget, { priced: config.priced });
  if (!limit.ok) return limit;
  const settings = {
    stall: { ...NEW_THREAD.settings.stall, ...config.stall },
    maxResultBytes: config.maxResultBytes ?? NEW_THREAD.settings.maxResultBytes,
  };
  const opened: FrameOpened = {
    id: ROOT,
    kind: 'thread',
    parent: null,
    waiter: null,
    agent: name,
    type: agent.data.type,
    prompt: null,
    name: null,
    config: PLAIN_CHILD,
    env,
    prepare: needsPreparing(config.catalog, rootOf(name, agent.data.type), undefined),
  };
  return ok({
    events: [
      {
        type: 'thread.started',
        data: {
          ...{ agent: name, by: person(by), limit: limit.value, settings, account, instance },
          ...(command.call === undefined ? {} : { call: command.call }),
          ...(command.sources === undefined ? {} : { sources: command.sources }),
        },
      },
      { type: 'budget.opened', data: { scope: RUN_SCOPE, parent: null, limit: limit.value } },
      { type: 'frame.opened', data: opened },
      ...tell(message, command.effects),
    ],
  });
}

function say(state: ThreadRunState, { message, effects }: Own<'thread.say'>): DecidedWord<ThreadEvent> {
  if (guard('thread.stopping', state.mode === 'stopping'))
    return refuse('E_THREAD_STOPPING', 'The thread is stopping: say it again when it has stopped.');
  return ok({ events: tell(message, effects), answer: { message: message.id } });
}

/** The very call that was asked about goes on, with its own arguments or with those that a person gave instead. */
function resolve(
  state: ThreadRunState,
  command: Own<'approval.resolve'>,
  { context }: Parts,
): DecidedWord<ThreadEvent> {
  const resolved = resolveApproval(
    state.approvals,
    { ...command, by: person(command.by) },
    { now: context.now, check: ({ tool }, input) => checkInput(tool, input, { tools: [] }) },
  );
  return resolved.ok ? ok({ events: resolved.value, answer: { approval: command.approval } }) : resolved;
}

const tell = (
  message: Own<'thread.say'>['message'] | null,
  effects: Own<'thread.say'>['effects'],
): readonly ThreadEvent[] => [
  ...(message === null
    ? []
    : [{ type: 'message.told', data: { frame: ROOT, message, hooked: true } } as const]),
  ...(effects === null ? [] : [{ type: 'effects.noted', data: { frame: ROOT, effects } } as const]),
];

/** As much of the first frame as preparing looks at. */
const rootOf = (agent: string, type: Frame['type']): Frame =>
  ({ ...(findFrame(NEW_THREAD, ROOT) ?? {}), kind: 'thread', agent, type, prompt: null, side: 'a' }) as Frame;

const refuse = (code: string, message: string): DecidedWord<ThreadEvent> => fail({ code, message });
