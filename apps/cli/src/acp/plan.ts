import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { RunEventView } from '@cuebook/api';

/** What a run has to do, as its events tell it: the steps of a workflow, the tasks that a team hands over. */
export interface RunPlan {
  /** The plan as it is after the event, where the event changes it. */
  take(event: Pick<RunEventView, 'type' | 'data'>): readonly SessionUpdate[];
}

/** Older tasks than so many are left out. */
const MAX_ENTRIES = 100;

export function createPlan(nameOf: (lane: string) => string | undefined): RunPlan {
  let steps: readonly Step[] = [];
  let at: StepsAt = { completed: new Set(), current: null, isComplete: false };
  let goal: Task | undefined;
  const tasks = new Map<string, Task>();
  let last = '';

  const entries = (): readonly PlanEntry[] => [
    ...(goal === undefined ? [] : [entryOf(goal)]),
    ...steps.flatMap((step) => stepEntry(step, at)),
    ...[...tasks.values()].map(entryOf),
  ];
  const changed = (): readonly SessionUpdate[] => {
    const all = entries().slice(-MAX_ENTRIES);
    const now = JSON.stringify(all);
    if (all.length === 0 || now === last) return [];
    last = now;
    return [{ sessionUpdate: 'plan', entries: [...all] }];
  };
  const settle = (node: string, from: Task['status'], to: Task['status']): void => {
    for (const [id, task] of tasks)
      if (task.node === node && task.status === from) tasks.set(id, { ...task, status: to });
  };

  return {
    take({ type, data }) {
      const fields = (data ?? {}) as unknown as Fields;
      switch (type) {
        case 'workflow.started':
          steps = fields.graph?.nodes ?? [];
          break;
        case 'workflow.composed':
          at = {
            completed: new Set(fields.state?.stepsCompleted ?? at.completed),
            current: fields.nodeId ?? null,
            isComplete: fields.isComplete === true,
          };
          break;
        case 'run.started':
          if (fields.goal?.text) goal = { text: fields.goal.text, node: '', status: 'in_progress' };
          break;
        case 'envelope.sent': {
          const { id = '', toNodeId = '', payload } = fields;
          const name = nameOf(toNodeId);
          const text = `${name === undefined ? '' : `${name}: `}${payload?.message ?? ''}`;
          if (fields.kind === 'handoff') tasks.set(id, { text, node: toNodeId, status: 'pending' });
          break;
        }
        case 'turn.started':
          settle(fields.node ?? '', 'pending', 'in_progress');
          break;
        case 'turn.closed':
          if (fields.reason === 'done') settle(fields.node ?? '', 'in_progress', 'completed');
          break;
        case 'run.finished':
          if (goal !== undefined && fields.ok === true) goal = { ...goal, status: 'completed' };
          break;
        default:
          return [];
      }
      return changed();
    },
  };
}

interface Step {
  readonly id: string;
  readonly title?: string;
}

interface StepsAt {
  readonly completed: ReadonlySet<string>;
  readonly current: string | null;
  readonly isComplete: boolean;
}

interface Task {
  readonly text: string;
  readonly node: string;
  readonly status: PlanEntry['status'];
}

/** A step that was not taken is left out when the workflow is complete. */
function stepEntry({ id, title }: Step, { completed, current, isComplete }: StepsAt): readonly PlanEntry[] {
  const status = completed.has(id) ? 'completed' : id === current ? 'in_progress' : 'pending';
  if (isComplete && status !== 'completed') return [];
  return [{ content: title ?? id, priority: 'medium', status }];
}

const entryOf = ({ text, status }: Task): PlanEntry => ({
  content: firstLine(text),
  priority: 'medium',
  status,
});

const firstLine = (text: string): string => {
  const [line = '', ...more] = text.trim().split('\n');
  return more.length > 0 || line.length > 200 ? `${line.slice(0, 200).toWellFormed()} …` : line;
};

/** The fields of the events that are read here. */
interface Fields {
  readonly id?: string;
  readonly kind?: string;
  readonly node?: string;
  readonly ok?: boolean;
  readonly reason?: string;
  readonly nodeId?: string | null;
  readonly isComplete?: boolean;
  readonly toNodeId?: string;
  readonly payload?: { readonly message?: string };
  readonly goal?: { readonly text?: string } | null;
  readonly graph?: { readonly nodes?: readonly Step[] };
  readonly state?: { readonly stepsCompleted?: readonly string[] };
}
