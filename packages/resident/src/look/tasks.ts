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
    ...(task.timebox_hours !== undefined && { hours: task.timebox_hours }),
    role,
    openRoles: openRoles(task),
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

/** What whoever is asked to take part reads: all that was proposed, who sees it, who is in it, and what is still open. */
const summaryOf = (task: Task): string => {
  const { title, summary, required_roles, estimated_output, expected_outputs, tags, timebox_hours } = task;
  const { visibility } = task;
  const participants = task.participants.slice(0, 12);
  const asks = { required_roles, estimated_output, expected_outputs, tags, timebox_hours, visibility };
  return JSON.stringify({ title, summary, ...asks, participants, open_roles: openRoles(task) });
};

/** The roles that a task asks for and nobody who takes part has. */
function openRoles({ required_roles = [], participants }: Task): readonly string[] {
  const taken = new Set(participants.map(({ role }) => fold(role)));
  return required_roles.map(({ role }) => role).filter((role) => !taken.has(fold(role)));
}

/**
 * How many of an agent's interests and capabilities a task names: in its words, its outputs and tags, and in the roles
 * that are still open. None where it asks for roles and all are taken.
 */
function fits(task: Task, words: readonly string[]): number {
  const { title, summary, required_roles = [], expected_outputs = [], tags = [] } = task;
  const open = openRoles(task);
  if (required_roles.length > 0 && open.length === 0) return 0;
  const roles = required_roles
    .filter(({ role }) => open.includes(role))
    .map(({ role, why = '' }) => `${role} ${why}`);
  const { estimated_output = '' } = task;
  const text = fold([title, summary, estimated_output, ...roles, ...expected_outputs, ...tags].join(' '));
  return words.filter((word) => text.includes(fold(word))).length;
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
