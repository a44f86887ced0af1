import { guard } from '../../guard.js';
import type { AnyThreadEvent, Events } from '../event.js';
import type { Frame } from '../frame.js';
import type { Parts } from '../parts.js';
import { findFrame, type ThreadRunState, threadOf } from '../state.js';
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
          },
          hooked: false,
        },
      });
  for (const { agent, name, text, config, env: own } of start) {
    const max = config.resumable?.maxInstances ?? null;
    const begun = events.filter(
      (event) => event.type === 'frame.opened' && event.data.agent === agent,
    ).length;
    if (guard('immediate.limit', max !== null && begun >= max)) break;
    events.push(
      ...openAgent(
        state,
        { parent: thread, waiter: null, agent, name, config, env: own, text, attachments: [] },
        parts,
      ),
    );
  }
  return events;
}
