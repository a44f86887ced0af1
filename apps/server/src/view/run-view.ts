import type { NeedView, RunSummaryView, RunView } from '@cuebook/api';
import { isOver, isQuiet, type Need, needsOf, type RunReading, type TeamState } from '@cuebook/team';
import type { Immutable } from '../http/group.js';
import { approvalView, type PlannedChanges } from './approval-view.js';
import { budgetOf } from './budget-view.js';
import { holdView } from './hold-view.js';
import { nodeView } from './node-view.js';

/** A run as a screen shows it. `isRehearsal` says whether a provider is a script. */
export function runView(
  run: string,
  { state, seq }: RunReading,
  isRehearsal: (provider: string) => boolean,
  changes: PlannedChanges,
): Immutable<RunView> {
  const { settings } = state;
  const nodes = Object.values(state.nodes);
  return {
    run,
    seq,
    status: state.status,
    pause: state.pause && holdView(state.pause),
    mode: settings.mode,
    globalMode: settings.globalMode,
    goal: settings.goal?.text ?? null,
    done: settings.done.map(({ text }) => text),
    verify: settings.verify,
    rehearsal: nodes.some(({ node }) => isRehearsal(node.provider)),
    nodes: nodes.map((node) => nodeView(state, node)),
    edges: state.edges.map(({ at: _at, ...edge }) => edge),
    replies: state.replies,
    needs: needsOf(state).flatMap((need) => needView(run, state, need, changes)),
    budget: budgetOf(state, 'run'),
    turns: state.turns,
    quiet: isQuiet(state),
    limits: settings.limits,
    finishing: finishingOf(state),
    result: state.result,
  };
}

function finishingOf(state: TeamState): Immutable<RunView>['finishing'] {
  if (!state.finishing || isOver(state)) return null;
  const { summary, by, waits } = state.finishing;
  return { summary, by, waits };
}

/** A run as a list shows it. */
export function runSummary(
  run: string,
  { state, seq }: RunReading,
  times: { readonly startedAt: number; readonly lastAt: number },
  isRehearsal: (provider: string) => boolean,
): Immutable<RunSummaryView> {
  const nodes = Object.values(state.nodes);
  return {
    run,
    kind: 'team',
    target: null,
    status: state.status,
    goal: state.settings.goal?.text.slice(0, MAX_GOAL) ?? null,
    startedAt: times.startedAt,
    lastAt: times.lastAt,
    seq,
    nodes: nodes.length,
    turns: state.turns,
    needs: needsOf(state).length,
    rehearsal: nodes.some(({ node }) => isRehearsal(node.provider)),
  };
}

const MAX_GOAL = 500;

function needView(
  run: string,
  state: TeamState,
  need: Need,
  changes: PlannedChanges,
): readonly Immutable<NeedView>[] {
  switch (need.kind) {
    case 'approval': {
      const approval = approvalView(run, state, need.approval.id, changes);
      return approval ? [{ kind: 'approval', approval }] : [];
    }
    case 'hold':
      return [{ kind: 'hold', node: need.node, hold: holdView(need.hold) }];
    case 'outcome': {
      const owner = Object.values(state.nodes).find(
        ({ work }) => work?.effect === need.effect || work?.step?.effect === need.effect,
      );
      return [{ kind: 'outcome', effect: need.effect, node: owner?.node.id ?? null }];
    }
    case 'pause':
      return [{ kind: 'pause', pause: holdView(need.pause) }];
  }
}
