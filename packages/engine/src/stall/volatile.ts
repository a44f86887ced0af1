import type { JsonValue } from '@cuebook/prompt';

/**
 * A text without the values that differ from one look at the same thing to the next because of their name: what counts
 * attempts, names a request, measures a wait, or tells the present time. Names are read in JSON, in headers, in queries
 * and in sentences (`took_ms: 12`, `"requestId":"…"`, `?attempt=4`, `try 4`). A name that `about` contains stays: to
 * `get_trace` a trace is a thing and no noise. What is dropped leaves the mark of a number, so that an id that begins with a
 * letter and one that begins with a digit leave the same text. In arguments the moment of a change is the present. Linear in the text.
 */
export function dropVolatile(text: string, about = '', within: 'arguments' | 'answer' = 'answer'): string {
  const things = new Set(wordsOf(about));
  let kept = '';
  let end = 0;
  for (const { 0: named, 1: name = '', index } of text.matchAll(NAME)) {
    if (index < end) continue;
    const words = wordsOf(name);
    const joined = words.join(' ');
    const isMoment = MOMENTS.has(joined) || (within === 'arguments' && TOUCHES.has(joined));
    if (!(isMoment || isNoise(words)) || words.some((word) => things.has(word))) continue;
    VALUE.lastIndex = index + named.length;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || (isMoment && !MOMENT.test(value))) continue;
    kept += `${text.slice(end, index)}${named}#`;
    end = VALUE.lastIndex;
  }
  return kept + text.slice(end);
}

/** A name and what joins it to its value: a colon or an equals sign, or a space before a number. */
const NAME = /(?<![\w-])([a-z_][\w-]{0,60})(?:\\{0,3}["']?\s{0,3}[:=]\s{0,3}|[ #]{1,3}(?=\d))/gi;
const VALUE = /\\{0,3}"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s,;&}\])"']{0,199}[^\s,;&}\])"':.]/y;

function isNoise(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  if (words.some((word) => NOISE.has(word)) || UNITS.has(last)) return true;
  return words.some((word) => REQUEST.has(word)) && REQUEST_ENDS.has(last);
}

/** The numbers that stand under names of a wait, added up; undefined: there are none. */
export function pauseOf(input: JsonValue): number | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const pauses = Object.entries(input).flatMap(([name, value]) => {
    const words = wordsOf(name);
    const isPause = words.some((word) => PAUSES.has(word)) || UNITS.has(words.at(-1) ?? '');
    const pause = Number(typeof value === 'string' ? value.replace(/\s*[a-z]*$/i, '') || 'none' : value);
    return isPause && Number.isFinite(pause) ? [pause] : [];
  });
  return pauses.length === 0 ? undefined : pauses.reduce((sum, each) => sum + each, 0);
}

/** Arguments without blanks, cases and bare counters: what they name. Linear in the text. */
export const namesOf = (args: string): string =>
  args
    .toLowerCase()
    .replace(COUNTER, '"$1":#')
    .replace(/\\[nrt]|\s+/g, '');
/** Names of numbers that count the loop itself. */
const COUNTER = /"(n|i|j|k|counter|iteration|iter|round|tick|turn|cycle|loop|run)":\s{0,3}"?\d{1,15}"?/g;

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Whatever is named so says nothing about the world. */
const NOISE = set(
  'attempt attempts retry retries retrying try tries tried backoff delay nonce idempotency correlation trace traceparent span ' +
    'elapsed took latency uptime timeout wait waited waiting sleep slept poll polls polled polling heartbeat etag now timestamp ts',
);
const PAUSES = set('backoff delay wait sleep timeout pause interval');
const UNITS = set('ms us ns msec msecs millis secs seconds duration');
/** `request`, `request_id`, `x-request-id`: but `requests` and `request_body` are things. */
const REQUEST = set('request req requestid');
const REQUEST_ENDS = set('request req requestid id uuid key token number no');
/** Names of the present where the value is a whole point in time; a day or an hour is a thing. */
const MOMENTS: ReadonlySet<string> = new Set([
  ...['at', 'time', 'date', 'clock', 'as of', 'last checked'],
  ...['server time', 'server date', 'local time', 'current time'],
  ...[
    'checked at',
    'fetched at',
    'polled at',
    'generated at',
    'retrieved at',
    'refreshed at',
    'served at',
    'sent at',
  ],
]);
const TOUCHES: ReadonlySet<string> = new Set([
  ...[
    'updated at',
    'updated',
    'last updated',
    'modified at',
    'last modified',
    'touched at',
    'last seen',
    'seen at',
  ],
]);
const MOMENT = /\d{4}-\d\d-\d\d[ t]\d\d:|\d{1,2}:\d\d:\d\d|(?<!\d)1\d{9}(?:\d{3})?(?!\d)|gmt/i;

/** The words of a name, however it joins them: `tookMs`, `took_ms`, `took-ms`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** A text without the words, numbers and ids that the arguments name too: an answer repeats what it was asked for. */
export function dropEcho(text: string, args: string): string {
  const asked = new Set(args.match(TOKEN));
  return text.replace(TOKEN, (token) => (asked.has(token) ? '~' : token));
}

const TOKEN = /[\p{L}\p{N}]+(?:[-_:+.][\p{L}\p{N}]+)*/gu;
