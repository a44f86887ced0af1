import type { ChildConfig } from '../child-config.js';
import { MAX_FRAMES } from '../config.js';
import { needsPreparing } from '../definitions.js';
import type { EnvLayer } from '../env-value.js';
import type { Events, FrameOpened } from '../event.js';
import type { Frame, Waiter } from '../frame.js';
import type { Parts } from '../parts.js';
import { findFrame, type ThreadRunState } from '../state.js';
import { openWithWords, type SpokenWords } from './words.js';

export interface NewAgent extends SpokenWords {
  readonly parent: Frame;
  readonly waiter: Waiter | null;
  readonly agent: string;
  readonly name: string | null;
  readonly config: ChildConfig;
  readonly env: EnvLayer;
}

/** A subagent's thread, with its first message. */
export function openAgent(
  _state: ThreadRunState,
  { parent, waiter, agent, name, config, env, text, args, attachments }: NewAgent,
  parts: Parts,
): Events {
  const { catalog } = parts.config;
  const type = catalog.agents.get(agent)?.data.type ?? 'dual_ai';
  const facts: Omit<FrameOpened, 'prepare'> = {
    id: parts.context.newId('thr'),
    kind: 'thread',
    parent: parent.id,
    waiter,
    agent,
    type,
    prompt: null,
    name,
    config,
    env,
  };
  const prepare = needsPreparing(catalog, { ...parent, ...facts, side: 'a' }, parent);
  return [
    { type: 'frame.opened', data: { ...facts, prepare } },
    ...openWithWords(facts.id, { text, args, attachments }, parts, config.resumable?.receives),
  ];
}

export interface NewSubprompt extends SpokenWords {
  readonly frame: Frame;
  readonly waiter: Waiter;
  readonly prompt: string;
  readonly config: ChildConfig;
}

/** A sub-prompt: part of the thread that calls it, with messages of its own. */
export function openSubprompt(
  { frame, waiter, prompt, config, text, args, attachments }: NewSubprompt,
  parts: Parts,
): Events {
  const id = parts.context.newId('sub');
  const facts: FrameOpened = {
    id,
    kind: 'sub-prompt',
    parent: frame.id,
    waiter,
    agent: frame.agent,
    type: 'sub-prompt',
    prompt,
    name: null,
    config,
    env: {},
    prepare: false,
  };
  return [{ type: 'frame.opened', data: facts }, ...openWithWords(id, { text, args, attachments }, parts)];
}

/** How many conversations a frame stands in. */
export function depthOf(state: ThreadRunState, frame: Frame): number {
  let depth = 0;
  for (let at = findFrame(state, frame.parent); at !== undefined; at = findFrame(state, at.parent))
    depth += 1;
  return depth;
}

export const roomFor = ({ frames }: ThreadRunState): boolean => Object.keys(frames).length < MAX_FRAMES;
