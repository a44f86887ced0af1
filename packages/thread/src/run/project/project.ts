import { isAboutCalls, NO_STALL, projectCalls, projectKept, projectStall } from '@cuebook/engine';
import type { AnyThreadEvent } from '../event.js';
import type { Frame } from '../frame.js';
import { type ThreadRunState, withFrame } from '../state.js';
import { projectEffect } from './effect.js';
import { judged, storeResults } from './step.js';

/** Folds an event in. Events of others, such as receipts, leave the state as it is. */
export function projectThread(before: ThreadRunState, event: AnyThreadEvent): ThreadRunState {
  const state = projectEffect(projectParts(before, event), event);
  const change = (id: string, update: (frame: Frame) => Partial<Frame>): ThreadRunState =>
    withFrame(state, id, update);
  switch (event.type) {
    case 'thread.started': {
      const { by: _by, limit: _limit, ...facts } = event.data;
      return { ...state, mode: 'active', ...facts };
    }
    case 'run.updated':
      return { ...state, sources: event.data.to };
    case 'frame.opened': {
      const { prepare, ...facts } = event.data;
      const frame: Frame = { ...NEW_FRAME, ...facts, prepared: prepare ? 'due' : 'done' };
      const opened = { ...state, frames: { ...state.frames, [frame.id]: frame } };
      return facts.waiter === null ? opened : waiting(opened, facts.waiter);
    }
    case 'waiter.set': {
      const { frame, waiter } = event.data;
      return waiting(
        change(frame, () => ({ waiter })),
        waiter,
      );
    }
    case 'message.told': {
      const { frame, message, hooked } = event.data;
      const told = change(frame, ({ inbox }) => ({ inbox: [...inbox, { message, hooked }] }));
      if (message.from !== 'person') return told;
      const pause = told.pause?.kind === 'budget' ? told.pause : null;
      return { ...told, mode: 'active', pause };
    }
    case 'side.began': {
      const { frame, side } = event.data;
      return change(frame, ({ turn, active, total, outcome }) => ({
        side,
        turn: turn + 1,
        active: true,
        steps: 0,
        total: active || outcome === null ? total : 0,
        called: false,
        retries: 0,
        model: 0,
        outcome: null,
        stall: NO_STALL,
      }));
    }
    case 'step.asked': {
      const { frame, ...asked } = event.data;
      return change(frame, ({ messages, inbox, turn, steps, total }) => ({
        ask: asked,
        again: null,
        side: asked.side,
        model: asked.model,
        messages: [...messages, ...inbox.map(({ message }) => ({ ...message, turn }))],
        inbox: [],
        steps: asked.model === 0 ? steps + 1 : steps,
        total: total + 1,
      }));
    }
    case 'step.judged':
      return change(event.data.frame, (frame) => judged(frame, event.data));
    case 'results.stored':
      return change(event.data.frame, (frame) => storeResults(frame, event.data.ids));
    case 'side.ended':
      return change(event.data.frame, ({ turns, side }) => ({
        active: false,
        turns: { ...turns, [side]: turns[side] + 1 },
      }));
    case 'session.ended': {
      const { frame, outcome, final, unasked } = event.data;
      return change(frame, ({ ended, messages, inbox, turn }) => ({
        ...(unasked && {
          messages: [...messages, ...inbox.map(({ message }) => ({ ...message, turn }))],
          inbox: [],
        }),
        outcome,
        active: false,
        ended: ended || final,
        waiter: null,
        turns: { a: 0, b: 0 },
      }));
    }
    case 'agent.handed':
      return change(event.data.frame, ({ type }) => ({
        agent: event.data.agent,
        type: event.data.type ?? type,
        model: 0,
      }));
    case 'effects.applied':
      return change(event.data.frame, () => ({ after: null }));
    case 'status.told':
      return change(event.data.frame, () => ({ status: event.data.text }));
    case 'env.set': {
      const { frame, layer, values } = event.data;
      if (layer !== 'thread' || frame === null)
        return layer === 'thread' ? state : { ...state, [layer]: { ...state[layer], ...values } };
      return change(frame, ({ env }) => ({ env: { ...env, ...values } }));
    }
    case 'stall.noted': {
      const observed = { type: 'stall.observed', data: event.data.trace } as const;
      return change(event.data.frame, ({ stall }) => ({
        stall: projectStall(stall, observed, state.settings.stall),
      }));
    }
    case 'thread.paused':
      return { ...state, pause: event.data };
    case 'thread.resumed':
      return {
        ...state,
        mode: 'active',
        pause: null,
        frames: mapFrames(state, (frame) => ({ ...frame, stall: NO_STALL })),
      };
    case 'thread.stopping':
      return { ...state, mode: 'stopping', pause: null };
    case 'thread.stopped':
      return { ...state, mode: 'stopped' };
    case 'budget.raised':
      return { ...state, pause: state.pause?.kind === 'budget' ? null : state.pause };
    default:
      return state;
  }
}

/** The parts that follow the engine's own rules. */
function projectParts(state: ThreadRunState, event: AnyThreadEvent): ThreadRunState {
  const { maxResultBytes } = state.settings;
  const kept = projectKept(state, event);
  if (!isAboutCalls(event)) return kept;
  const frames = mapFrames(state, (frame) => {
    const calls = frame.calls && projectCalls(frame.calls, event as never, maxResultBytes);
    return calls === frame.calls ? frame : { ...frame, calls };
  });
  return { ...kept, frames };
}

export const mapFrames = (
  { frames }: ThreadRunState,
  update: (frame: Frame) => Frame,
): ThreadRunState['frames'] =>
  Object.fromEntries(Object.entries(frames).map(([id, frame]) => [id, update(frame)]));

/** A call that a conversation is opened for is under way, without an effect of its own. */
function waiting(
  state: ThreadRunState,
  { frame: id, call }: { readonly frame: string; readonly call: string },
): ThreadRunState {
  return withFrame(state, id, ({ calls }) => ({
    calls: (calls ?? []).map((each) =>
      each.id === call && each.phase === 'due' ? { ...each, phase: 'running' as const } : each,
    ),
  }));
}

const NEW_FRAME: Omit<
  Frame,
  'id' | 'kind' | 'parent' | 'waiter' | 'agent' | 'type' | 'prompt' | 'name' | 'config'
> = {
  side: 'a',
  turn: 0,
  active: false,
  turns: { a: 0, b: 0 },
  steps: 0,
  total: 0,
  called: false,
  retries: 0,
  model: 0,
  prepared: 'done',
  messages: [],
  inbox: [],
  hooking: null,
  after: null,
  ask: null,
  answer: null,
  calls: null,
  openings: {},
  results: {},
  env: {},
  stall: NO_STALL,
  outcome: null,
  ended: false,
  status: null,
};
