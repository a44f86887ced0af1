/**
 * Whether an object already says all that is wanted of it. What else it says, such as defaults and fields of others, does
 * not matter. Lists are compared item by item: one that is longer or shorter is another.
 */
export function holds(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((each, index) => holds(live[index], each))
    );
  if (typeof wanted !== 'object' || wanted === null) return live === wanted;
  if (typeof live !== 'object' || live === null || Array.isArray(live)) return false;
  return Object.entries(wanted).every(
    ([name, each]) =>
      each === undefined ||
      (Object.hasOwn(live, name) && holds((live as Record<string, unknown>)[name], each)),
  );
}
