import { isVisible, type RankedGroup, type ReviewError, rankGroups } from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { findAgent } from './cards.js';
import type { PlatformParts } from './desk.js';
import { circlesOf, listPlaces } from './places.js';

/** A circle that may suit an agent. */
export interface SuitedGroup extends RankedGroup {
  readonly title: string;
}

/**
 * The circles that share an interest with an agent's card as it is saved now, best first, each with its match score
 * from 0 to 100. What the agent cannot see, and what it belongs to, is left out. Computed: no model is asked.
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
  return ok(
    rankGroups(record.review.draft.interests, groups)
      .slice(0, MOST_GROUPS)
      .map((group) => ({ ...group, title: titles.get(group.group_id) ?? '' })),
  );
}

const MOST_GROUPS = 20;
