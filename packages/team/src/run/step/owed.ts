import { clipWords } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { mayTouch } from '../../capability/access.js';
import { nameOf } from '../../graph/node.js';
import type { TeamConfig } from '../config.js';
import { type NodeState, type NodeWorkState, nodesOf, type Owed, type TeamState } from '../state.js';

/** Who works in the person's folder and may not write there has no changes of its own to look for. */
export const isWatched = (
  { node }: Pick<NodeState, 'node'>,
  { globalMode }: Pick<NodeWorkState, 'globalMode'>,
  { acts }: Pick<TeamConfig, 'acts'>,
): boolean => node.workspace !== 'shared' || mayTouch(node, globalMode, acts?.(node.provider) ?? false);

/** What nodes owe before a run can be done: turns in flight, diffs that were not taken, checks that were not run. */
export const owedBy = (state: TeamState, config: TeamConfig): readonly Owed[] =>
  nodesOf(state).flatMap((each): readonly Owed[] => {
    const { node, work, unchecked } = each;
    if (work !== null) return [{ node: node.id, turn: work.turn, what: stepsOf(state, each, work, config) }];
    return unchecked ? [{ node: node.id, turn: unchecked, what: ['checks'] }] : [];
  });

function stepsOf(
  { settings }: TeamState,
  node: NodeState,
  work: NodeWorkState,
  config: TeamConfig,
): Owed['what'] {
  const isToCheck = settings.verify.length > 0 && work.verification === undefined;
  return [
    ...(work.outcome === null ? (['turn'] as const) : []),
    ...(work.diff === null && isWatched(node, work, config) ? (['diff'] as const) : []),
    ...(isToCheck && work.globalMode !== 'PLANNING' ? (['checks'] as const) : []),
  ];
}

/** Why a run cannot be done however long one waits; undefined when nothing stands against it. */
export function whyUnfinished(state: TeamState): string | undefined {
  const nodes = nodesOf(state);
  const unknown = nodes.find(({ hold }) => hold?.kind === 'failed' && hold.code === 'E_CHANGES_UNKNOWN');
  if (guard('finish.unknown', unknown !== undefined) && unknown)
    return `It is not known what ${nameOf(unknown.node)} has changed: a person must look first.`;
  const failing = nodes.filter(({ verification }) => verification !== null);
  if (!guard('finish.failing', failing.length > 0)) return undefined;
  const [first] = failing;
  return `The checks fail in the work of ${failing.map(({ node }) => nameOf(node)).join(', ')}: ${clip(first?.verification ?? '')}`;
}

const clip = (text: string): string => clipWords(text, MAX_TOLD);
const MAX_TOLD = 1_000;
