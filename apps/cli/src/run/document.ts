import type { RunReport, Wait } from '@cuebook/host';
import { commandLine } from '@cuebook/prompt/hint';
import { typed } from '../hint/typed.js';
import type { Io } from '../io.js';

/** What every document of `run --json` has, whatever the kind of run. */
export type RunDocument = Pick<
  RunReport,
  'run' | 'kind' | 'target' | 'status' | 'reason' | 'text' | 'turns' | 'usage' | 'rehearsal' | 'waits'
> & {
  /** Only of a run that has failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The command that goes on, where a person is waited for. */
  readonly next?: string;
};

/** The document of a report. What only a kind has stands beside it, under names of its own. */
export function runDocument(
  report: Omit<RunDocument, 'next' | 'error'> & { readonly error: RunReport['error'] },
  io: Pick<Io, 'typing'>,
  next: string | undefined = nextOf(report),
): RunDocument {
  const { run, kind, target, status, reason, text, error, turns, usage, waits, rehearsal } = report;
  return {
    ...{ run, kind, target, status, reason, text },
    ...(error === null ? {} : { error }),
    ...(next === undefined ? {} : { next: typed(io, next) }),
    ...{ turns, usage, rehearsal, waits: waits.map(inOrder) },
  };
}

/** The exit code of who followed a run: 0 where it is done, or stands still and nobody is waited for. */
export const exitCodeOf = ({ status }: Pick<RunReport, 'status'>): number =>
  status === 'done' || status === 'idle' ? 0 : 1;

/** The same order of members, whoever has told of it. */
const inOrder = ({
  id,
  run,
  kind,
  target,
  lane,
  name,
  for: what,
  tool,
  input,
  reason,
  ...rest
}: Wait): Wait => {
  const { since, expiresAt, answers, example, ...more } = rest;
  return {
    ...{ id, run, kind, target, lane, name, for: what, tool, input, reason },
    ...more,
    ...{ since, expiresAt, answers, example },
  };
};

/** The command that answers what waits first. What failed is no question: its kind says how it goes on. */
function nextOf({ waits: [wait] }: Pick<RunDocument, 'waits'>): string | undefined {
  if (wait === undefined || wait.for === 'failed' || wait.answers.length === 0) return undefined;
  if (wait.for === 'approval') return commandLine`approvals allow ${wait.id}`;
  return `${commandLine`approvals answer ${wait.id}`} ${wait.example}`;
}
