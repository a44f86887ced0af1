import type { AnyTeamEvent } from './event.js';
import { readDiff, readTurn, readVerification } from './outcome.js';
import type { NodeState, StepKind, TeamState, Work } from './state.js';

/** What effects do to the work that hangs on them, and to what a person is asked after a crash. */
export function projectEffect(state: TeamState, event: AnyTeamEvent): TeamState {
  switch (event.type) {
    case 'effect.intended': {
      const { id, kind, input } = event.data;
      if (!isStep(kind)) return state;
      const node = (input as { readonly node?: string }).node ?? '';
      return withWork(
        state,
        (each) => each.node.id === node,
        (work) => ({ ...work, step: { effect: id, kind } }),
      );
    }
    case 'effect.begun':
      // A second try is told everything: nobody knows what the session heard of the first.
      return event.data.attempt > 1 ? again(state, event.data.id) : state;
    case 'effect.asked':
      return { ...state, doubts: [...state.doubts, event.data.id] };
    case 'effect.reopened':
      return again({ ...state, doubts: without(state.doubts, event.data.id) }, event.data.id);
    case 'effect.settled': {
      const { id, outcome, by } = event.data;
      const after = { ...state, doubts: without(state.doubts, id) };
      const heard = withWork(after, hasTurn(id), (work) => ({
        ...work,
        ...unheardBy(work),
        outcome: readTurn(outcome),
        crashed: by !== 'driver',
      }));
      return withWork(
        heard,
        ({ work }) => work?.step?.effect === id,
        (work) => {
          const unsure = outcome.ok ? work.unsure : outcome.error.message;
          if (work.step?.kind === 'diff.take')
            return { ...work, step: null, unsure, diff: readDiff(outcome) };
          if (work.step?.kind === 'diff.set-aside') return { ...work, step: null, unsure };
          return { ...work, step: null, verification: readVerification(outcome) };
        },
      );
    }
    default:
      return state;
  }
}

const hasTurn =
  (effect: string) =>
  ({ work }: NodeState): boolean =>
    work?.effect === effect && work.outcome === null;

/** Calls in mid-turn whose result comes too late for the turn. */
function unheardBy({ native }: Work): Pick<Work, 'unheard'> {
  const open = native.filter(({ phase }) => phase !== 'settled').map(({ id }) => id);
  return open.length === 0 ? {} : { unheard: open };
}

const again = (state: TeamState, effect: string): TeamState =>
  withWork(state, hasTurn(effect), (work) => ({
    ...work,
    kind: { kind: 'full', why: 'crash' },
  }));

function withWork(
  state: TeamState,
  has: (node: NodeState) => boolean,
  update: (work: Work) => Work,
): TeamState {
  const node = Object.values(state.nodes).find((each) => each.work !== null && has(each));
  if (node?.work === null || node === undefined) return state;
  return { ...state, nodes: { ...state.nodes, [node.node.id]: { ...node, work: update(node.work) } } };
}

const isStep = (kind: string): kind is StepKind =>
  kind === 'diff.take' || kind === 'diff.set-aside' || kind === 'verify.run';

const without = (ids: readonly string[], id: string): readonly string[] => ids.filter((each) => each !== id);
