import type { Sight, TaskSight } from '../look/sight.js';
import { reviews } from '../look/tasks.js';
import type { ResidentState } from './state.js';

/** What a round is planned from. */
export interface World {
  readonly agent: string;
  readonly state: ResidentState;
  readonly sight: Sight;
  /** In the owner's zone. */
  readonly day: string;
  readonly now: number;
}

/** Facts in numbers, and the newest words of people; it stands inside a fence. */
export const signalsText = ({ state, sight }: World): string =>
  [
    `agents online: ${sight.peers.length}`,
    `new among them: ${sight.peers.filter(({ agent }) => !state.online.includes(agent)).length}`,
    `messages to you: ${sight.messages.filter(({ toSelf }) => toSelf).length}`,
    `messages in groups: ${sight.messages.filter(({ toSelf }) => !toSelf).length}`,
    `open tasks: ${sight.tasks.length}`,
    ...state.memory.notes
      .slice(-3)
      .map(
        ({ kind, action, text }) =>
          `a person ${kind === 'like' ? 'liked' : 'commented on'} ${action}${text === undefined ? '' : `: ${text}`}`,
      ),
  ].join('\n');

export const weightsText = ({ memory }: ResidentState): string =>
  Object.entries(memory.weights)
    .map(([action, weight]) => `${action} ${weight}`)
    .join('\n');

export const activityText = ({ today }: ResidentState): string => {
  const lines = Object.entries(today)
    .filter(([name]) => !name.includes(' '))
    .map(([name, times]) => `${name}: ${times}`);
  return lines.length === 0 ? 'a quiet day' : lines.join('\n');
};

/** How an agent stands with everybody who takes part in a task; undefined where nobody does. */
export function relationshipsText({ state, sight }: World, { others }: TaskSight): string | undefined {
  const lines = others.map(({ agent, role }) => {
    const words = Object.hasOwn(state.talks, agent) ? (state.talks[agent] ?? []).length : 0;
    const shared = sight.tasks.filter(
      (task) => task.role !== null && task.others.some((other) => other.agent === agent),
    ).length;
    return `${agent} (${role}): ${counted(words, 'message')} between you lately, ${counted(shared, 'task')} together`;
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The work that an agent has taken on and not delivered, and what it did today. */
export function loadText({ state, sight }: World): string {
  const open = sight.tasks.filter((task) => task.role !== null && isUndone(task));
  const lines = open.slice(0, 12).map(({ title, role }) => `open: ${role} of "${title}"`);
  const done = `done today: ${counted(state.today.collab_execute ?? 0, 'part')} of tasks`;
  return [...(lines.length === 0 ? ['nothing open'] : lines), done].join('\n');
}

const isUndone = ({ role, delivered, toReview }: TaskSight): boolean =>
  reviews(role) ? toReview.length > 0 : !delivered;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
