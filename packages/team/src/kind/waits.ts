import type { ApprovalRow } from '@cuebook/engine';
import {
  type FileChange,
  NO_ANSWER,
  raiseForms,
  type Wait,
  type WaitFor,
  waitsForLabel,
} from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import { type NodeHold, nodesOf, type RunPause, type TeamState } from '../run/state.js';
import { folderHolder } from '../run/step/schedule.js';
import { type TeamWait, waitsOf } from '../run/waits.js';
import { holdText } from './hold-text.js';

/** What is known of a run beside its state. */
export interface WaitPlace {
  readonly run: string;
  /** When its last event was written. */
  readonly since: number;
  readonly approvals: readonly ApprovalRow[];
  readonly changes: ReadonlyMap<string, readonly FileChange[]>;
}

/** All that a team waits for, with the node that waits and the forms of an answer. */
export function teamWaitList(state: TeamState, place: WaitPlace): readonly Wait[] {
  const others = waitsOf(state).map((wait) => otherWait(state, wait, place));
  return [
    ...place.approvals.map((row) => approvalWait(state, row, place)),
    ...others,
    ...folderWaits(state, place),
  ];
}

/** Nodes that have something to do, and whose folder somebody holds who waits for a person. */
const folderWaits = (state: TeamState, place: WaitPlace): readonly Wait[] =>
  nodesOf(state).flatMap((each) => {
    const holder = folderHolder(state, each);
    if (holder === undefined) return [];
    const { lane, name } = who(state, each.node.id);
    const other = who(state, holder.node.id);
    return [
      {
        ...base(place),
        ...{ id: `${place.run}/${name ?? lane}`, lane, name, for: 'folder', tool: '', input: null },
        reason: `Its folder is in use by ${other.name ?? other.lane}, who waits for a person.`,
        ...NO_ANSWER,
      },
    ];
  });

/** Work is open and no process has it. */
export const leftTeam = ({ run, since }: Pick<WaitPlace, 'run' | 'since'>, wanted?: string): Wait => ({
  ...base({ run, since }),
  ...{ id: run, lane: null, name: null, for: 'left', tool: '', input: null },
  reason:
    wanted === undefined
      ? 'The process that was at work on it is gone. It goes on when somebody attaches to it.'
      : waitsForLabel(wanted),
  ...{ answers: ['resume'], example: 'resume' },
});

const base = ({ run, since }: Pick<WaitPlace, 'run' | 'since'>) =>
  ({ run, kind: 'team', target: null, since, expiresAt: null }) as const;

function approvalWait(state: TeamState, row: ApprovalRow, { run, changes }: WaitPlace): Wait {
  const { id, lane, tool, input, reason = null, askedAt, expiresAt, claimed } = row;
  const planned = changes.get(id);
  return {
    ...base({ run, since: askedAt }),
    ...{ id, for: 'approval', ...who(state, /^node\/(.+)$/.exec(lane)?.[1] ?? null) },
    ...{ tool, input, reason, expiresAt, answers: ['yes', 'no'], example: 'yes' },
    ...(claimed && { claimed }),
    ...(planned && { changes: planned }),
  };
}

const who = (state: TeamState, node: string | null): Pick<Wait, 'lane' | 'name'> => ({
  lane: node,
  name:
    (node !== null && Object.hasOwn(state.nodes, node) ? state.nodes[node]?.node.alias : undefined) ?? null,
});

function otherWait(state: TeamState, wait: TeamWait, place: WaitPlace): Wait {
  const { run } = place;
  const waiter = who(state, 'node' in wait ? wait.node : null);
  const id =
    wait.kind === 'outcome'
      ? wait.effect
      : wait.kind === 'hold'
        ? `${run}/${waiter.name ?? waiter.lane}`
        : run;
  return { ...base(place), id, ...waiter, tool: '', input: null, ...wordsOf(wait) };
}

type Words = Pick<Wait, 'for' | 'reason' | 'answers' | 'example'> &
  Partial<Pick<Wait, 'tool' | 'input' | 'evidence'>>;

function wordsOf(wait: TeamWait): Words {
  switch (wait.kind) {
    case 'outcome':
      return {
        for: 'outcome',
        reason: `A crash cut off ${wait.what}, and nobody knows whether it was done.`,
        ...{ answers: ['not-done', 'unknown'], example: 'not-done', tool: wait.tool, input: wait.input },
      };
    case 'idle':
      return {
        for: 'input',
        reason: 'Nobody has anything to do, and the run is not finished.',
        ...{ answers: ['TEXT', 'finish'], example: 'TEXT' },
      };
    case 'hold':
      return heldWords(wait.hold, ['resume', 'TEXT']);
    case 'pause':
      return heldWords(wait.pause, ['resume']);
  }
}

function heldWords(hold: NodeHold | RunPause, answers: readonly string[]): Words {
  const reason = holdText(hold);
  if (hold.kind === 'budget') {
    const { unit, limit } = hold.exhausted;
    const evidence = asJson({ ...hold.exhausted });
    return { for: 'budget', reason, evidence, ...raiseForms(unit, limit) };
  }
  const words = { for: HELD[hold.kind], reason, answers, example: 'resume' } as const;
  return hold.kind === 'stall' ? { ...words, evidence: asJson({ ...hold.verdict }) } : words;
}

const HELD = {
  person: 'hold',
  interrupted: 'hold',
  failed: 'hold',
  stall: 'loop',
} as const satisfies Record<Exclude<(NodeHold | RunPause)['kind'], 'budget'>, WaitFor>;
