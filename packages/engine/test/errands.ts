import type { JsonValue } from '@cuebook/prompt';
import type {
  CrashPolicy,
  Decision,
  EffectIntent,
  EngineEvent,
  EventShape,
  Machine,
  Outcome,
} from '../src/machine.js';

/** Something to be done, after a while, and what follows when it is done. */
export type Errand = {
  readonly name: string;
  readonly lane: string;
  readonly onCrash: CrashPolicy;
  readonly afterMs: number;
  readonly next: readonly Errand[];
};

export type ErrandCommand =
  | { readonly type: 'errand.start'; readonly errands: readonly Errand[] }
  | { readonly type: 'errand.drop'; readonly name: string };

export type ErrandEvent =
  | {
      readonly type: 'errand.taken';
      readonly data: { readonly errand: Errand; readonly timer: string | null };
    }
  | { readonly type: 'errand.dropped'; readonly data: { readonly name: string } };

/** The state does not depend on the order in which lanes come to an end. */
export type ErrandState = {
  readonly waiting: Readonly<Record<string, Errand>>;
  readonly open: Readonly<Record<string, Errand>>;
  readonly done: Readonly<Record<string, Outcome>>;
};

/** A small kind of run for tests: a tree of errands, over lanes, with timers. */
export const errandMachine: Machine<ErrandState, ErrandCommand, ErrandEvent> = {
  kind: 'errands',
  initial: { waiting: {}, open: {}, done: {} },
  decide(state, command, { now, newId }): Decision<ErrandEvent> {
    const take = (errand: Errand): readonly (ErrandEvent | EngineEvent)[] => {
      if (errand.afterMs === 0) return intend(errand, newId('eff'));
      const id = newId('tmr');
      return [
        { type: 'errand.taken' as const, data: { errand, timer: id } },
        { type: 'timer.set' as const, data: { id, at: now + errand.afterMs } },
      ];
    };
    switch (command.type) {
      case 'errand.start': {
        const known = command.errands.find(({ name }) => Object.hasOwn(state.done, name));
        if (known)
          return { ok: false, error: { code: 'E_ERRAND', message: `${known.name} was done before.` } };
        return { ok: true, events: command.errands.flatMap(take), answer: command.errands.length };
      }
      case 'errand.drop': {
        const found = Object.entries(state.waiting).find(([, { name }]) => name === command.name);
        if (!found)
          return { ok: false, error: { code: 'E_ERRAND', message: 'Nothing waits under this name.' } };
        const [id] = found;
        return {
          ok: true,
          events: [
            { type: 'timer.cleared', data: { id } },
            { type: 'errand.dropped', data: { name: command.name } },
          ],
        };
      }
      case 'timer.fire': {
        const errand = state.waiting[command.id];
        return { ok: true, events: errand ? intend(errand, newId('eff')) : [] };
      }
      case 'effect.settle': {
        const errand = state.open[command.id];
        return { ok: true, events: (errand?.next ?? []).flatMap(take) };
      }
    }
  },
  project(state, event): ErrandState {
    switch (event.type) {
      case 'errand.taken':
        return event.data.timer === null
          ? state
          : { ...state, waiting: { ...state.waiting, [event.data.timer]: event.data.errand } };
      case 'errand.dropped':
        return {
          ...state,
          waiting: Object.fromEntries(
            Object.entries(state.waiting).filter(([, { name }]) => name !== event.data.name),
          ),
        };
      case 'effect.intended': {
        const errand = errandOf(event.data);
        const waiting = Object.entries(state.waiting).filter(([, { name }]) => name !== errand.name);
        return {
          ...state,
          waiting: Object.fromEntries(waiting),
          open: { ...state.open, [event.data.id]: errand },
        };
      }
      case 'effect.settled': {
        const errand = state.open[event.data.id];
        return errand ? { ...state, done: { ...state.done, [errand.name]: event.data.outcome } } : state;
      }
      default:
        return state;
    }
  },
};

export const errandOf = ({ input }: EffectIntent): Errand => input as unknown as Errand;

/** An errand with what a case does not care about filled in. */
export const errand = (name: string, given: Partial<Errand> = {}): Errand => ({
  name,
  lane: name,
  onCrash: 'repeat',
  afterMs: 0,
  next: [],
  ...given,
});

/** All errands of a tree. */
export const allOf = (errands: readonly Errand[]): readonly Errand[] =>
  errands.flatMap((one) => [one, ...allOf(one.next)]);

function intend(errand: Errand, id: string) {
  const { lane, onCrash } = errand;
  const input = errand as unknown as JsonValue;
  return [
    { type: 'errand.taken' as const, data: { errand, timer: null } },
    { type: 'effect.intended' as const, data: { id, kind: 'errand', lane, onCrash, input } },
  ] satisfies EventShape[];
}
