import { createHash } from 'node:crypto';
import type { Scenario } from '@cuebook/bundle';
import {
  assignedVersion,
  type EventRecord,
  eventValues,
  explainedGroups,
  findEvent,
  groupValues,
  keepEvent,
  keepGroups,
  listAgents,
  listJobs,
  type PlatformParts,
  recommendGroups,
  type SuitedGroup,
  weekOf,
} from '@cuebook/platform';
import { fail, ok, type Result } from '@cuebook/prompt';

/** `E_OUTPUT` and codes of turns: a model that was asked gave no answer that can be taken. */
export interface ClerkError {
  readonly code: string;
  readonly reason: string;
}

/** Asks a model in a scenario of the platform, once for an id; the answer kept its contract. */
export type AskScenario = (asked: {
  readonly id: string;
  readonly by: string;
  /** The version that is assigned now. */
  readonly scenario: Scenario;
  readonly values: Readonly<Record<string, string>>;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}) => Promise<Result<string, ClerkError>>;

/** What a server does for its platform with a model: by request, or by itself where the schedule says so. */
export interface Clerk {
  /** The public event of the week of a day, asked for if there is none. */
  event(day: string, by: Asking): Promise<Result<EventRecord, object>>;
  /** The groups that suit an agent, with reasons. */
  groups(agent: string, by: Asking): Promise<Result<readonly SuitedGroup[], object>>;
  /** Does what is due of the schedule. What cannot be done now is due again next time. */
  tick(): Promise<void>;
}

interface Asking {
  readonly by: string;
  /** Who is asked; left out: the provider of the project. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly signal?: AbortSignal;
}

export function createClerk(platform: PlatformParts, ask: AskScenario): Clerk {
  const today = () => new Date(platform.now()).toISOString().slice(0, 10);
  const clerk: Clerk = {
    async event(day, asking) {
      const { by } = asking;
      const week = weekOf(day);
      if (week === undefined) return fail({ code: 'E_INPUT', reason: 'bad-day' });
      const known = await findEvent(platform, week);
      if (known !== undefined) return ok(known);
      // One try a day: after a failure tomorrow's is another one.
      const scenario = await assignedVersion(platform, 'weekly_event');
      if (!scenario.ok) return scenario;
      const id = `platform event ${week} ${today()} v${scenario.value.version}`;
      const values = await eventValues(platform, week);
      const answer = await ask({ ...asking, id, scenario: scenario.value, values });
      return answer.ok
        ? keepEvent(platform, { week, answer: answer.value, by, scenario: scenario.value })
        : answer;
    },
    async groups(agent, asking) {
      const { by } = asking;
      const values = await groupValues(platform, agent);
      if (!values.ok) return values;
      if (values.value !== undefined && !(await isExplained(platform, agent))) {
        const of = createHash('sha256').update(JSON.stringify(values.value)).digest('hex').slice(0, 16);
        const scenario = await assignedVersion(platform, 'interest_groups');
        if (!scenario.ok) return scenario;
        const id = `platform groups ${agent} ${of} ${today()} v${scenario.value.version}`;
        const answer = await ask({ ...asking, id, scenario: scenario.value, values: values.value });
        if (!answer.ok) return answer;
        const kept = await keepGroups(platform, {
          agent,
          answer: answer.value,
          by,
          scenario: scenario.value,
        });
        if (!kept.ok) return kept;
      }
      return recommendGroups(platform, agent);
    },
    async tick() {
      const jobs = (await listJobs(platform)).filter(({ on }) => on);
      const askedBy = (name: string) => {
        const job = jobs.find((each) => each.job === name);
        return job && { by: CLERK, provider: job.provider, model: job.model };
      };
      const [event, groups] = ['event', 'groups'].map(askedBy);
      if (event !== undefined) await clerk.event(today(), event);
      if (groups === undefined) return;
      const agents = (await listAgents(platform)).filter(({ published }) => published !== undefined);
      let asked = 0;
      for (const { agent } of agents) {
        if (asked >= MOST_A_TICK) return;
        if (await isExplained(platform, agent)) continue;
        asked += 1;
        await clerk.groups(agent, groups);
      }
    },
  };
  return clerk;
}

/** Whether a model has said why, for the groups as they are ranked now; also when there are none. */
async function isExplained(platform: PlatformParts, agent: string): Promise<boolean> {
  const ranked = await recommendGroups(platform, agent);
  if (!ranked.ok || ranked.value.length === 0) return true;
  const known = await explainedGroups(platform, agent);
  const isSame = ({ group_id, score }: SuitedGroup) =>
    known?.groups.some((each) => each.group_id === group_id && each.score === score) === true;
  return ranked.value.slice(0, MOST_EXPLAINED).every(isSame);
}

/** Who asks when nobody does. */
const CLERK = 'schedule';
const MOST_A_TICK = 10;
const MOST_EXPLAINED = 10;
