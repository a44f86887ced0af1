import type { ApprovalView } from '@cuebook/api';
import { commandLine } from '@cuebook/prompt/hint';
import type { TeamState, TeamWait } from '@cuebook/team';
import { waitsOf } from '@cuebook/team';
import type { Immutable } from '../http/group.js';
import { holdView } from './hold-view.js';

type View = Immutable<ApprovalView>;

/** What a team waits for beside approvals, each with the node, the forms of an answer and a command that gives one. */
export const teamWaits = (run: string, state: TeamState, askedAt: number): readonly View[] =>
  waitsOf(state).map((wait) => viewOf(run, state, wait, askedAt));

/** Work is open and no process has it: whoever looks can go on with it. */
export const leftTeam = (run: string, askedAt: number): View => ({
  ...{ run, kind: 'team', target: null, for: 'input', id: run, node: null, alias: null, about: run },
  ...{ tool: '', input: null, askedAt, expiresAt: null, status: 'waiting', by: null, answers: [] },
  reason: 'The process that was at work on it is gone. It goes on when somebody attaches to it.',
  command: commandLine`attach ${run}`,
});

function viewOf(run: string, state: TeamState, wait: TeamWait, askedAt: number): View {
  const node = 'node' in wait ? wait.node : null;
  const known = node !== null && Object.hasOwn(state.nodes, node) ? state.nodes[node]?.node : undefined;
  const name = known?.alias ?? node;
  const id = wait.kind === 'outcome' ? wait.effect : wait.kind === 'hold' ? `${run}/${name}` : run;
  const { example, ...said } = wordsOf(wait);
  return {
    ...{ run, kind: 'team', target: null, node, alias: known?.alias ?? null, about: node ?? run },
    ...{ tool: '', input: null, askedAt, expiresAt: null, status: 'waiting', by: null },
    ...said,
    id,
    command: commandLine`approvals answer ${id} ${example}`,
  };
}

interface Words {
  readonly for: View['for'];
  readonly reason: string;
  readonly answers: readonly string[];
  readonly example: string;
  readonly tool?: string;
  readonly input?: View['input'];
}

function wordsOf(wait: TeamWait): Words {
  switch (wait.kind) {
    case 'outcome':
      return {
        for: 'outcome',
        reason: `A crash cut off ${wait.what}, and nobody knows whether it was done.`,
        answers: ['not-done', 'unknown'],
        example: 'not-done',
        ...{ tool: wait.tool, input: wait.input },
      };
    case 'idle':
      return {
        for: 'input',
        reason: 'Nobody has anything to do, and the run is not finished.',
        ...{ answers: ['TEXT', 'finish'], example: 'TEXT' },
      };
    case 'hold':
      return heldWords(holdView(wait.hold));
    case 'pause': {
      const words = heldWords(holdView(wait.pause));
      return { ...words, answers: words.answers.filter((answer) => answer !== 'TEXT') };
    }
  }
}

function heldWords({ kind, message }: ReturnType<typeof holdView>): Words {
  if (kind === 'budget') return { for: 'budget', reason: message, answers: ['TURNS'], example: 'TURNS' };
  const base = { reason: message, answers: ['resume', 'TEXT'], example: 'resume' };
  return { ...base, for: kind === 'stall' ? 'loop' : 'input' };
}
