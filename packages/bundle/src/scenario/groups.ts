/** A group that an agent could join. */
export interface InterestGroup {
  readonly group_id: string;
  readonly name: string;
  readonly interests: readonly string[];
}

export interface RankedGroup {
  readonly group_id: string;
  /** 0 to 100, two digits after the point. */
  readonly score: number;
  readonly shared: readonly string[];
}

/**
 * The groups that share an interest, best first. The score is the share of interests that both have among those
 * that either has (Jaccard), in percent. Equal scores stand by id: the same input gives the same list.
 */
export function rankGroups(
  interests: readonly string[],
  groups: readonly InterestGroup[],
): readonly RankedGroup[] {
  const own = new Set(interests.map(fold));
  return groups
    .map(({ group_id, interests: theirs }) => {
      const other = new Set(theirs.map(fold));
      const shared = [...other].filter((interest) => own.has(interest)).sort();
      const all = own.size + other.size - shared.length;
      const score = all === 0 ? 0 : Math.round((shared.length / all) * 10_000) / 100;
      return { group_id, score, shared };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.group_id < b.group_id ? -1 : 1));
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
