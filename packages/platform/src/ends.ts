import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';

/** What of an agent's record ends. */
interface Ending {
  readonly signedReview?: {
    readonly cardVersion: number;
    readonly metadata: string;
    readonly version?: number;
    readonly expires?: number;
    readonly keys?: readonly string[];
  };
  readonly told?: {
    readonly version: number;
    readonly places: string;
    readonly expires?: number;
    readonly key?: string;
  };
}

/** Where the short rows are kept: what a report on ends needs of an agent, and no word of its card. */
export const ENDS = 'platform.ends';

/**
 * What ends of an agent's record, in a row that is short enough not to be packed: reading ten thousand of them takes no
 * longer than a report may. `r`: the review: version of the card, its own version, end, keys that signed. `t`: what the
 * agent was told of places: version, end, key. Keys are named by the first twelve of their digits.
 */
interface EndsRow {
  readonly r?: readonly [card: number, version: number, expires: number | null, ...keys: string[]];
  readonly t?: readonly [version: number, expires: number | null, key: string];
}

export function endsOf({ signedReview, told }: Ending): JsonValue {
  // A review of an earlier Cuebook, which says nowhere who signed it: no row, so that the record itself is read.
  if (signedReview !== undefined && signedReview.keys === undefined) return null;
  const row: EndsRow = {
    ...(signedReview === undefined
      ? {}
      : {
          r: [
            signedReview.cardVersion,
            signedReview.version ?? signedReview.cardVersion,
            signedReview.expires ?? null,
            ...(signedReview.keys as readonly string[]).map(short),
          ],
        }),
    ...(told === undefined ? {} : { t: [told.version, told.expires ?? null, short(told.key ?? '')] }),
  };
  return asJson(row);
}

/** The same of the record again, with the names of keys that count now written out. */
export function readEnds(value: JsonValue, known: readonly string[]): Ending {
  const { r, t } = value as unknown as EndsRow;
  const whole = (key: string): string => known.find((each) => short(each) === key) ?? key;
  const [cardVersion = 0, version = 0, expires, ...keys] = r ?? [];
  return {
    ...(r === undefined
      ? {}
      : { signedReview: { cardVersion, version, ...endOf(expires), keys: keys.map(whole), metadata: '' } }),
    ...(t === undefined ? {} : { told: { version: t[0], places: '', ...endOf(t[1]), key: whole(t[2]) } }),
  };
}

const short = (key: string): string => key.slice(0, 12);
const endOf = (expires: number | null | undefined) =>
  expires === null || expires === undefined ? {} : { expires };
