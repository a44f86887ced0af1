import {
  checkOutput,
  isVisible,
  type OutputError,
  type RankedGroup,
  type ReviewError,
  rankGroups,
  type Scenario,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from './cards.js';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';
import { circlesOf, listPlaces } from './places.js';

/** A circle that may suit an agent. */
export interface SuitedGroup extends RankedGroup {
  readonly title: string;
  /** Why, in the words of a model that was asked; it cannot change the score. */
  readonly reasons?: readonly string[];
}

/**
 * The circles that share an interest with an agent's card as it is saved now, best first, each with its match score
 * from 0 to 100. What the agent cannot see, and what it belongs to, is left out. Computed: no model is asked. Reasons
 * that a model gave for the same groups with the same scores stand beside them.
 */
export async function recommendGroups(
  parts: PlatformParts,
  agent: string,
): Promise<Result<readonly SuitedGroup[], ReviewError>> {
  const record = await findAgent(parts, agent);
  if (record === undefined) return fail({ code: 'E_REVIEW', reason: 'no-card' });
  const own = await circlesOf(parts, agent);
  const circles = (await listPlaces(parts)).flatMap(({ place }) =>
    place.kind !== 'circle' ||
    own.has(place.id) ||
    guard('groups.visible', !isVisible(place, { agent, circles: own }))
      ? []
      : [place],
  );
  const titles = new Map(circles.map(({ id, title }) => [id, title]));
  const groups = circles.map(({ id, title, interests }) => ({ group_id: id, name: title, interests }));
  const explained = await explainedGroups(parts, agent);
  const reasonsFor = ({ group_id, score }: RankedGroup) =>
    explained?.groups.find((each) => each.group_id === group_id && each.score === score)?.reasons;
  return ok(
    rankGroups(record.review.draft.interests, groups)
      .slice(0, MOST_GROUPS)
      .map((group) => {
        const reasons = reasonsFor(group);
        return { ...group, title: titles.get(group.group_id) ?? '', ...(reasons && { reasons }) };
      }),
  );
}

/** What a model said about the groups of an agent. */
export interface ExplainedGroups {
  readonly agent: string;
  readonly groups: readonly ExplainedGroup[];
  readonly scenarioVersion: number;
  readonly preset: Scenario['preset'];
  readonly by: string;
  readonly at: number;
}

export interface ExplainedGroup {
  readonly group_id: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What `scenario:interest_groups` is filled with for an agent; undefined when no group suits it. */
export async function groupValues(
  parts: PlatformParts,
  agent: string,
): Promise<Result<Readonly<Record<string, string>> | undefined, ReviewError>> {
  const ranked = await recommendGroups(parts, agent);
  if (!ranked.ok) return ranked;
  const record = await findAgent(parts, agent);
  if (ranked.value.length === 0) return ok(undefined);
  const rows = ranked.value
    .slice(0, MOST_EXPLAINED)
    .map(({ group_id, score, shared, title }) => ({ group_id, score, shared, title }));
  const interests = (record?.review.draft.interests ?? []).join(', ');
  return ok({ interests, ranked_groups: JSON.stringify(rows) });
}

/** Takes an answer as the reasons for an agent's groups, if it keeps ids, scores and order as they were computed. */
export async function keepGroups(
  parts: PlatformParts,
  {
    agent,
    answer,
    by,
    scenario,
  }: {
    readonly agent: string;
    readonly answer: string;
    readonly by: string;
    /** The version that was asked. */
    readonly scenario: Scenario;
  },
): Promise<Result<ExplainedGroups, OutputError | ReviewError | RecordError>> {
  const ranked = await recommendGroups(parts, agent);
  if (!ranked.ok) return ranked;
  const scores = new Map(ranked.value.map(({ group_id, score }) => [group_id, score]));
  const checked = checkOutput(scenario, answer, { scores });
  if (!checked.ok) return checked;
  const kept: ExplainedGroups = {
    agent,
    groups: checked.value as unknown as readonly ExplainedGroup[],
    scenarioVersion: scenario.version,
    preset: scenario.preset,
    by,
    at: parts.now(),
  };
  return change<ExplainedGroups, ExplainedGroups, never>(parts.store, subjectOf(agent), () =>
    ok({ events: [{ type: 'groups.explained', data: kept as never }], state: kept, answer: kept }),
  );
}

/** What was last said about the groups of an agent. */
export const explainedGroups = (
  { store }: Pick<PlatformParts, 'store'>,
  agent: string,
): Promise<ExplainedGroups | undefined> => stateOf<ExplainedGroups>(store, subjectOf(agent));

const subjectOf = (agent: string): LedgerSubject => ({ name: 'platform.group', key: agent });

const MOST_GROUPS = 20;
const MOST_EXPLAINED = 10;
