/** What bounds a team run, as a person writes it. */
export interface GivenLimits {
  readonly [name: string]: number | Readonly<Record<string, number>>;
}

/** Names of limits; `parallel.PROVIDER` bounds the turns at once of one provider. */
export const LIMIT_NAMES = ['parallel', 'nodes', 'depth', 'inbox', 'approvalMinutes'] as const;

export const LIMIT_WORDS = `${LIMIT_NAMES.join(', ')} or parallel.PROVIDER`;

/**
 * Reads `parallel=2`, `approvalMinutes=0`, `parallel.claude=1`: each name once. What is no limit, or stands there twice,
 * is answered as a text. Whether a number fits the server says.
 */
export function readLimits(words: readonly string[]): GivenLimits | string {
  const limits: Record<string, number> = {};
  const perProvider: Record<string, number> = {};
  for (const word of words) {
    const [, name = '', provider, digits = ''] =
      /^([A-Za-z]+)(?:\.([\w-]{1,64}))?=(\d{1,12}(?:\.\d{1,6})?)$/.exec(word) ?? [];
    const isKnown = (LIMIT_NAMES as readonly string[]).includes(name);
    if (!isKnown || (provider !== undefined && name !== 'parallel')) return word;
    const [into, key] = provider === undefined ? [limits, name] : [perProvider, provider];
    if (Object.hasOwn(into, key)) return word;
    into[key] = Number(digits);
  }
  return Object.keys(perProvider).length === 0 ? limits : { ...limits, perProvider };
}
