import type { ApprovalView } from '@cuebook/api';
import type { ApprovalRow } from '@cuebook/engine';
import type { Wait } from '@cuebook/host';
import { commandLine } from '@cuebook/prompt/hint';
import type { Immutable } from '../http/group.js';

type View = Immutable<ApprovalView>;

/** Something that waits, in the form of the list of approvals: with a command line that answers it. */
export function waitView(wait: Wait, row?: Pick<ApprovalRow, 'about' | 'question'>): View {
  const { run, id, kind, target, tool, input, reason, since: askedAt, expiresAt, changes } = wait;
  const isTeam = kind === 'team';
  const node = isTeam ? wait.lane : null;
  // Whoever has the words of a question can answer it, wherever the run goes on.
  const answers = row?.question?.answers ?? wait.answers;
  return {
    ...{ run, kind, target, id, node, alias: isTeam ? wait.name : null, about: row?.about ?? node ?? run },
    ...{ tool, input, reason, askedAt, expiresAt, status: 'waiting', by: null },
    for: wait.for === 'hold' ? 'input' : wait.for,
    ...(wait.for === 'approval' ? {} : { answers }),
    command: commandOf(wait, row?.question?.example ?? wait.example),
    ...(changes && { changes }),
  };
}

/** A command line that answers it, or goes on with its run. */
function commandOf(wait: Wait, example: string): string {
  const { id, kind, run } = wait;
  if (wait.for === 'approval')
    return kind === 'agent' ? commandLine`approvals show ${id}` : commandLine`approvals allow ${id}`;
  if (wait.for === 'folder') return commandLine`attach ${run}`;
  // The example of a question is quoted where a shell needs it.
  if (wait.for === 'question') return `${commandLine`approvals answer ${id}`} ${example}`;
  if (kind === 'thread' && wait.for !== 'left' && wait.for !== 'failed')
    return `${goOn(wait)}${THREAD_FLAGS[wait.for] ?? ''}`;
  if (wait.for === 'budget' && kind !== 'team') return `${goOn(wait)} --${unitOf(wait)} NUMBER`;
  return wait.answers.length === 0 ? goOn(wait) : commandLine`approvals answer ${id} ${example}`;
}

function goOn({ kind, target, run }: Wait): string {
  // A workflow from outside the project is named by who has it.
  const isNamed = target !== null && (kind !== 'workflow' || target.startsWith('workflow:'));
  return commandLine`run ${isNamed ? target : (UNNAMED[kind] ?? `${kind}:NAME`)} --run ${run}`;
}

const UNNAMED: Readonly<Record<string, string>> = {
  thread: 'agent:NAME',
  workflow: 'workflow:DIR',
  team: 'team:FILE',
};

const THREAD_FLAGS: Readonly<Partial<Record<Wait['for'], string>>> = {
  outcome: ' --settle not-done',
  input: ' --input TEXT',
  loop: ' --input TEXT',
  budget: ' --turns NUMBER',
};

const unitOf = ({ evidence }: Wait): string =>
  (Object(evidence) as { readonly unit?: string }).unit === 'usd' ? 'usd' : 'turns';
