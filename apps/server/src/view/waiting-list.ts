import type { ApprovalView } from '@cuebook/api';
import {
  APPROVALS_PROJECTION,
  type ApprovalRow,
  type DoubtfulEffect,
  listStandings,
  type Standing,
} from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import { commandLine } from '@cuebook/prompt/hint';
import type { Immutable } from '../http/group.js';
import { askedFields } from './approval-view.js';

type View = Immutable<ApprovalView>;

/**
 * What waits for a person in runs that are no team's: their approvals and questions, and what else they stand still
 * for. It is read from the lists that are written with the events; no log is read, but for the first event of runs
 * that are older than the lists.
 */
export async function otherWaits(
  store: Pick<Store, 'projections' | 'read' | 'runs'>,
): Promise<readonly View[]> {
  const rows = [...(await store.projections(APPROVALS_PROJECTION)).values()] as unknown as ApprovalRow[];
  const standings = await listStandings(store);
  const views: View[] = [];
  for (const row of rows) {
    const standing = standings.get(row.run);
    const kind = standing?.kind ?? (await firstKind(store, row.run));
    if (kind !== 'team') views.push(approvalOf(row, kind, standing?.target ?? null));
  }
  const lastAt = new Map((await store.runs()).map((each) => [each.run as string, each.lastAt]));
  for (const [run, standing] of standings) {
    if (standing.wait !== undefined) views.push(...needsOf(run, standing, lastAt.get(run) ?? 0));
  }
  return views;
}

async function firstKind(store: Pick<Store, 'read'>, run: string): Promise<View['kind']> {
  const [first] = await store.read(run as RunId, { limit: 1 });
  return KINDS[first?.type ?? ''] ?? 'agent';
}

/** By the first event of a run: each kind of run begins with one of its own. */
const KINDS: Readonly<Record<string, View['kind']>> = {
  'run.started': 'team',
  'workflow.started': 'workflow',
  'thread.started': 'thread',
};

function approvalOf(row: ApprovalRow, kind: View['kind'], target: string | null): View {
  const { id, question } = row;
  return {
    ...NOBODY,
    ...askedFields(row),
    kind,
    target,
    for: question === undefined ? 'approval' : 'question',
    ...(question === undefined
      ? { command: kind === 'agent' ? commandLine`approvals show ${id}` : commandLine`approvals allow ${id}` }
      : { answers: question.answers, command: `${commandLine`approvals answer ${id}`} ${question.example}` }),
  };
}

/** One row for each thing that is no approval. It began to wait with the last event of its run. */
function needsOf(run: string, standing: Standing, askedAt: number): readonly View[] {
  const { kind, target, wait } = standing;
  const base = { ...NOBODY, run, kind, target, about: run, askedAt, expiresAt: null };
  const named = targetWord(standing);
  const goOn =
    kind === 'thread' ? commandLine`run ${named} --thread ${run}` : commandLine`run ${named} --run ${run}`;
  switch (wait?.for) {
    case 'outcome':
      return wait.calls.map((call) => ({
        ...base,
        for: 'outcome',
        id: call.effect,
        tool: call.tool,
        input: readInput(call),
        reason: 'A crash cut it off, and nobody knows whether it was done.',
        answers: ['not-done', 'unknown'],
        command:
          kind === 'thread'
            ? `${goOn} --settle not-done`
            : commandLine`approvals answer ${call.effect} not-done`,
      }));
    case 'input':
    case 'loop':
      return [
        {
          ...base,
          for: wait.for,
          id: run,
          tool: '',
          input: null,
          reason: wait.message,
          answers: ['TEXT'],
          command: kind === 'thread' ? `${goOn} --input TEXT` : commandLine`approvals answer ${run} TEXT`,
        },
      ];
    case 'budget': {
      const command = `${goOn} --turns NUMBER`;
      return [{ ...base, for: 'budget', id: run, tool: '', input: null, reason: wait.message, command }];
    }
    default:
      return [];
  }
}

/** The target as a word of a command; a workflow from outside the project is named by who has it. */
const targetWord = ({ kind, target }: Standing): string =>
  kind === 'workflow' && !target.startsWith('workflow:') ? 'workflow:DIR' : target;

/** The input of a call, or the beginning of it as a text. */
function readInput({ input }: DoubtfulEffect): View['input'] {
  try {
    return JSON.parse(input) as View['input'];
  } catch {
    return input;
  }
}

/** No node waits: it is the run itself. */
const NOBODY = { node: null, alias: null, status: 'waiting', by: null } as const;
