/** A condition of an object's status. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/**
 * Conditions with one of them as it is now. Its time changes only when its status does; where nothing differs the very
 * list that was handed in comes back.
 */
export function withCondition(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): readonly Condition[] {
  const known = conditions.find(({ type }) => type === next.type);
  const lastTransitionTime = known?.status === next.status ? known.lastTransitionTime : stamp(now);
  const made: Condition = { ...next, lastTransitionTime };
  if (known !== undefined && isSame(known, made)) return conditions;
  return known === undefined
    ? [...conditions, made]
    : conditions.map((each) => (each === known ? made : each));
}

const isSame = (a: Condition, b: Condition): boolean =>
  a.status === b.status &&
  a.reason === b.reason &&
  a.message === b.message &&
  a.observedGeneration === b.observedGeneration &&
  a.lastTransitionTime === b.lastTransitionTime;

/** The API keeps whole seconds. */
const stamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
