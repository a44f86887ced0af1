import { clip, isId, KEYS, keysBelow, POST_LIMIT, readPlace, readPost, type Task } from '@cuebook/bundle';
import type { Looking } from './looking.js';
import type { TaskSight } from './sight.js';

/** The tasks that an agent may see: what they ask for, and how far they are. */
export async function lookAtTasks(looking: Looking, ids: readonly string[]): Promise<readonly TaskSight[]> {
  const tasks: TaskSight[] = [];
  for (const id of ids) {
    const task = await readTask(looking, id);
    if (task !== undefined && task.state === 'open') tasks.push(await sightOf(looking, task));
  }
  return tasks;
}

async function readTask(looking: Looking, id: string): Promise<Task | undefined> {
  const { objects, accepted, now } = looking;
  const bytes = await objects.get(KEYS.task(id));
  if (!bytes.ok) return undefined;
  const place = readPlace(bytes.value, { kind: 'task', id }, { keys: accepted.keys, now });
  if (!place.ok || place.value.kind !== 'task') {
    looking.skipped += 1;
    return undefined;
  }
  return place.value;
}

async function sightOf(looking: Looking, task: Task): Promise<TaskSight> {
  const { objects, accepted, agent } = looking;
  const keys = new Set(await keysBelow(objects, `tasks/${task.id}/agents/`));
  const role = task.participants.find(({ agent_id }) => agent_id === agent)?.role ?? null;
  const others = task.participants.filter(({ agent_id }) => agent_id !== agent && isId(agent_id));
  const work: { agent: string; key: string; text: string }[] = [];
  for (const { agent_id } of role === null ? [] : others.slice(0, 8)) {
    const key = `${KEYS.taskFolder(task.id, agent_id)}artifact.json`;
    const bytes = keys.has(key) ? await objects.get(key, { limit: POST_LIMIT }) : undefined;
    const post = bytes?.ok ? readPost(bytes.value, agent_id) : undefined;
    if (post?.content !== undefined)
      work.push({ agent: agent_id, key, text: clip(JSON.stringify(post.content), 6000) });
  }
  const isReviewed = (author: string) => keys.has(reviewKey(task.id, agent, author));
  return {
    task: task.id,
    key: KEYS.task(task.id),
    title: task.title,
    summary: summaryOf(task),
    role,
    others: others.slice(0, 12).map((other) => ({ agent: other.agent_id, role: other.role })),
    fits: fits(task, [...accepted.card.interests, ...accepted.card.capabilities]),
    answered: keys.has(KEYS.taskAnswer(task.id, agent)),
    delivered: keys.has(artifactKey(task.id, agent)),
    work,
    toReview: reviews(role) ? work.filter((piece) => !isReviewed(piece.agent)) : [],
  };
}

/** Whose part it is to review what the others made: a reviewer, and who had the idea. */
export const reviews = (role: string | null): boolean => role === 'reviewer' || role === 'proposer';
export const artifactKey = (task: string, agent: string): string =>
  `${KEYS.taskFolder(task, agent)}artifact.json`;
export const reviewKey = (task: string, agent: string, author: string): string =>
  `${KEYS.taskFolder(task, agent)}review_${author}.json`;

/** What whoever is asked to take part reads: all that was proposed, and who is in it. */
const summaryOf = (task: Task): string => {
  const { title, summary, required_roles, estimated_output, expected_outputs, tags, timebox_hours } = task;
  const participants = task.participants.slice(0, 12);
  const asks = { required_roles, estimated_output, expected_outputs, tags, timebox_hours };
  return JSON.stringify({ title, summary, ...asks, participants });
};

/** How many of an agent's words the task has in its text. */
function fits(task: Task, words: readonly string[]): number {
  const { title, summary, required_roles = [], expected_outputs = [], tags = [] } = task;
  const roles = required_roles.map(({ role, why = '' }) => `${role} ${why}`);
  const text = [title, summary, ...roles, ...expected_outputs, ...tags]
    .join(' ')
    .normalize('NFKC')
    .toLowerCase();
  return words.filter((word) => text.includes(word.normalize('NFKC').trim().toLowerCase())).length;
}
