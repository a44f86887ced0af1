import { ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { ID, KEYS } from '../ids.js';
import { type Task, taskSchema } from '../place/manifest.js';
import { keysBelow } from '../resident/look/topics.js';
import { readPost } from '../resident/post.js';
import type { Town, TownError } from './town.js';

const proposal = z.object({
  type: z.literal('propose_task'),
  title: z.string().min(1).max(120),
  description: z.string().max(1200).optional(),
  summary: z.string().max(1200).optional(),
  required_roles: z
    .array(z.object({ role: z.string().min(1).max(48) }))
    .max(6)
    .optional(),
});
const decision = z.object({ decision: z.enum(['join', 'decline']), role: z.string().max(48).nullable() });

/**
 * What a platform does between two rounds: proposals become tasks that everybody sees, who said yes takes part, and
 * the proposer reviews. Tells what happened, a line each.
 */
export async function attend(
  town: Town,
  agents: readonly string[],
  now: number,
): Promise<Result<readonly string[], TownError>> {
  const news: string[] = [];
  for (const agent of agents) {
    const made = await takeRequests(town, agent, now);
    if (!made.ok) return made;
    news.push(...made.value);
  }
  for (const place of town.places()) {
    if (place.kind !== 'task') continue;
    const joined = await takeAnswers(town, place, agents, now);
    if (!joined.ok) return joined;
    news.push(...joined.value);
  }
  if (news.length > 0) {
    const told = await tellAll(town, agents, now);
    if (!told.ok) return told;
  }
  return ok(news);
}

/** Everybody sees every place. */
export async function tellAll(
  town: Town,
  agents: readonly string[],
  now: number,
): Promise<Result<void, TownError>> {
  const of = (kind: string) => town.places().flatMap((place) => (place.kind === kind ? [place.id] : []));
  for (const agent of agents) {
    const told = await town.tell(agent, { topics: of('topic'), tasks: of('task') }, now);
    if (!told.ok) return told;
  }
  return ok(undefined);
}

async function takeRequests(
  town: Town,
  agent: string,
  now: number,
): Promise<Result<readonly string[], TownError>> {
  const news: string[] = [];
  for (const topic of town.places().filter(({ kind }) => kind === 'topic')) {
    for (const key of await keysBelow(town.objects, `topics/${topic.id}/requests/${agent}/`)) {
      const id = `${agent}_${/req_propose_task_(\d{8}_\d{2})\.json$/.exec(key)?.[1] ?? ''}`;
      if (!ID.test(id) || town.findPlace('task', id) !== undefined || id.endsWith('_')) continue;
      const bytes = await town.objects.get(key);
      const parsed = proposal.safeParse(bytes.ok ? readPost(bytes.value, agent)?.content : undefined);
      if (!parsed.success) continue;
      const { title, description, summary = description, required_roles = [] } = parsed.data;
      const roles =
        required_roles.length === 0 ? '' : ` Roles: ${required_roles.map(({ role }) => role).join(', ')}.`;
      const task = taskSchema.parse({
        kind: 'task',
        id,
        title,
        summary: `${summary ?? ''}${roles}`,
        participants: [{ agent_id: agent, role: 'proposer' }],
      });
      const placed = await town.place(task, now);
      if (!placed.ok) return placed;
      news.push(`${agent} proposed "${title}"`);
    }
  }
  return ok(news);
}

async function takeAnswers(
  town: Town,
  task: Task,
  agents: readonly string[],
  now: number,
): Promise<Result<readonly string[], TownError>> {
  const joined: { agent_id: string; role: string }[] = [];
  for (const agent of agents) {
    if (task.participants.some(({ agent_id }) => agent_id === agent)) continue;
    const bytes = await town.objects.get(KEYS.taskAnswer(task.id, agent));
    const parsed = decision.safeParse(bytes.ok ? readPost(bytes.value, agent)?.content : undefined);
    if (parsed.success && parsed.data.decision === 'join')
      joined.push({ agent_id: agent, role: parsed.data.role ?? 'helper' });
  }
  if (joined.length === 0) return ok([]);
  const placed = await town.place({ ...task, participants: [...task.participants, ...joined] }, now);
  return placed.ok
    ? ok(joined.map(({ agent_id, role }) => `${agent_id} joined "${task.title}" as ${role}`))
    : placed;
}
