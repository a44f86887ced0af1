import type { Outcome } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { TeamNode } from '../graph/node.js';
import { isSameFolder } from '../graph/workspace.js';
import type { AnyTeamEvent } from './event.js';
import { readAside, readDiff, readTurn, readVerification } from './outcome.js';
import type { NodeState, NodeWorkState, StepKind, TeamState } from './state.js';

/** What effects do to the work that hangs on them, and to what a person is asked after a crash. */
export function projectEffect(state: TeamState, event: AnyTeamEvent): TeamState {
  switch (event.type) {
    case 'effect.intended': {
      const { id, kind, input } = event.data;
      if (!isStep(kind)) return state;
      const node = (input as { readonly node?: string }).node ?? '';
      // Checks that are owed when somebody says that the run is done.
      if (state.finishing && state.nodes[node]?.work === null)
        return { ...state, finishing: { ...state.finishing, check: { effect: id, node } } };
      return withWork(
        state,
        (each) => each.node.id === node,
        (work) => ({ ...work, step: { effect: id, kind } }),
      );
    }
    case 'effect.begun':
      // A second try is told everything: nobody knows what the session heard of the first.
      return event.data.attempt > 1 ? again(state, event.data.id) : state;
    case 'session.moved':
      return event.data.carried
        ? state
        : withWork(state, hasTurn(event.data.effect), (work) => ({
            ...work,
            kind: { kind: 'full', why: 'machine' },
          }));
    case 'effect.reopened':
      return again(state, event.data.id);
    case 'effect.settled': {
      const { id, outcome, by } = event.data;
      const after = checked(state, id, outcome);
      const turn = Object.values(state.nodes).some(hasTurn(id)) ? readTurn(outcome) : null;
      const said = turn === null || turn.text === '' ? {} : { said: turn.text };
      const rehearsal = turn?.rehearsal === true ? { rehearsal: true as const } : {};
      const heard = withWork({ ...after, ...said, ...rehearsal }, hasTurn(id), (work) => ({
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
          if (work.step?.kind === 'diff.set-aside')
            return { ...work, step: null, unsure, aside: readAside(outcome) };
          return { ...work, step: null, verification: readVerification(outcome) };
        },
      );
    }
    default:
      return state;
  }
}

/** The outcome of a check that was owed. */
function checked(state: TeamState, effect: string, outcome: Outcome): TeamState {
  const { finishing } = state;
  if (!finishing?.check || finishing.check.effect !== effect) return state;
  const { node: id } = finishing.check;
  const node = state.nodes[id];
  const after = { ...state, finishing: { ...finishing, check: null } };
  if (node === undefined) return after;
  const verification = readVerification(outcome);
  const nodes = { ...after.nodes, [id]: { ...node, verification, unchecked: null } };
  return verification === null ? passed({ ...after, nodes }, node.node) : { ...after, nodes };
}

/** Checks that pass pass for everybody who works in that folder: one may repair what another broke. */
export function passed(state: TeamState, worker: TeamNode): TeamState {
  const nodes = Object.entries(state.nodes).map(([id, each]): [string, NodeState] => {
    const isPassed = guard('turn.repaired', id !== worker.id && isSameFolder(each.node, worker));
    return [id, isPassed ? { ...each, verification: null, unchecked: null } : each];
  });
  return { ...state, nodes: Object.fromEntries(nodes) };
}

const hasTurn =
  (effect: string) =>
  ({ work }: NodeState): boolean =>
    work?.effect === effect && work.outcome === null;

/** Calls in mid-turn whose result comes too late for the turn. */
function unheardBy({ native }: NodeWorkState): Pick<NodeWorkState, 'unheard'> {
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
  update: (work: NodeWorkState) => NodeWorkState,
): TeamState {
  const node = Object.values(state.nodes).find((each) => each.work !== null && has(each));
  if (node?.work === null || node === undefined) return state;
  return { ...state, nodes: { ...state.nodes, [node.node.id]: { ...node, work: update(node.work) } } };
}

const isStep = (kind: string): kind is StepKind =>
  kind === 'diff.take' || kind === 'diff.set-aside' || kind === 'verify.run';
