import { guard } from '@cuebook/guard';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Start } from '../outcome.js';
import type { Parts } from '../parts.js';
import { projectThread } from '../project/project.js';
import { findFrame, type ThreadRunState, threadOf } from '../state.js';
import { whyNot } from './calls.js';
import { openAgent } from './open.js';

/** What an effect did beside its answer, told to those whom it is for. */
export function applyEffects(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  const { env = [], notices = [], start = [], consumed = [] } = frame.after ?? {};
  const thread = threadOf(state, frame);
  const events: AnyThreadEvent[] = [{ type: 'effects.applied', data: { frame: frame.id } }];
  const values = {
    ...Object.fromEntries(consumed.map((name) => [name, null])),
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
  };
  if (Object.keys(values).length > 0)
    events.push({ type: 'env.set', data: { frame: thread.id, layer: 'thread', values } });
  const parent = findFrame(state, thread.parent);
  if (parent !== undefined)
    for (const text of notices)
      events.push({
        type: 'message.told',
        data: {
          frame: threadOf(state, parent).id,
          message: {
            id: parts.context.newId('msg'),
            role: 'user',
            side: 'b',
            from: 'child',
            silent: true,
            subagent: thread.id,
            text,
            rewritten: true,
          },
          hooked: false,
        },
      });
  return [...events, ...startAgents({ state, events, thread, start }, parts)];
}

interface Starting {
  readonly state: ThreadRunState;
  readonly events: Events;
  readonly thread: Frame;
  readonly start: readonly Start[];
}

/** Subagents that begin with a thread, one after another, within the limits that hold for calls. */
function startAgents({ state, events, thread, start }: Starting, parts: Parts): Events {
  const opened: AnyThreadEvent[] = [];
  let now = events.reduce(projectThread, state);
  for (const { agent, name, text, config, env } of start) {
    const opening = { does: 'subagent.create', target: agent, config, name } as const;
    if (guard('immediate.limit', whyNot(now, thread, opening) !== undefined)) continue;
    const next = openAgent(
      now,
      { parent: thread, waiter: null, agent, name, config, env, text, attachments: [] },
      parts,
    );
    now = next.reduce(projectThread, now);
    opened.push(...next);
  }
  return opened;
}
