import { KEYS, keysBelow } from '@cuebook/bundle';
import { acceptProposal, admitToTask, listPlaces, tellPlaces, tellTopicState } from '@cuebook/platform';
import { ok, type Result } from '@cuebook/prompt';
import { PUBLISHER, refuse, type Town, type TownError } from './town.js';

/**
 * What a publisher does between two rounds: proposals become tasks, who said yes takes part, and everybody is told
 * what they may see. `done` holds the keys that were looked at before. Tells what happened, a line each.
 */
export async function attend(
  town: Town,
  agents: readonly string[],
  done: Set<string>,
): Promise<Result<readonly string[], TownError>> {
  const news: string[] = [];
  const places = (await listPlaces(town.parts)).map(({ place }) => place);
  for (const { kind, id } of places) {
    const stands = kind === 'topic' ? await tellTopicState(town.parts, id) : ok(undefined);
    if (!stands.ok) return refuse(stands.error.code, id);
    for (const agent of agents) {
      const told =
        kind === 'topic'
          ? await takeRequests(town, id, agent, done)
          : kind === 'task'
            ? await takeAnswer(town, id, agent, done)
            : ok([]);
      if (!told.ok) return told;
      news.push(...told.value);
    }
  }
  const told = await tellAll(town, agents);
  return told.ok ? ok(news) : told;
}

/** Each agent learns of the places that it may see, if that changed. */
export async function tellAll({ parts }: Town, agents: readonly string[]): Promise<Result<void, TownError>> {
  for (const agent of agents) {
    const told = await tellPlaces(parts, agent);
    if (!told.ok) return refuse(told.error.code, agent);
  }
  return ok(undefined);
}

async function takeRequests(
  { parts }: Town,
  topic: string,
  agent: string,
  done: Set<string>,
): Promise<Result<readonly string[], TownError>> {
  const news: string[] = [];
  const prefix = `topics/${topic}/requests/${agent}/`;
  for (const key of await keysBelow(parts.objects, prefix)) {
    if (done.has(key)) continue;
    done.add(key);
    const request = key.slice(prefix.length, -'.json'.length);
    const accepted = await acceptProposal(parts, { topic, agent, request }, PUBLISHER);
    if (accepted.ok) news.push(`${agent} proposed "${accepted.value.title}"`);
    else if (accepted.error.code !== 'E_PROPOSAL') return refuse(accepted.error.code, agent);
  }
  return ok(news);
}

async function takeAnswer(
  { parts }: Town,
  task: string,
  agent: string,
  done: Set<string>,
): Promise<Result<readonly string[], TownError>> {
  const key = KEYS.taskAnswer(task, agent);
  if (done.has(key) || !(await parts.objects.get(key)).ok) return ok([]);
  done.add(key);
  const joined = await admitToTask(parts, { task, agent }, PUBLISHER);
  // An answer that declines admits nobody.
  if (!joined.ok) return joined.error.code === 'E_PROPOSAL' ? ok([]) : refuse(joined.error.code, agent);
  const role = joined.value.participants.find(({ agent_id }) => agent_id === agent)?.role ?? '';
  return ok([`${agent} joined "${joined.value.title}" as ${role}`]);
}
