/**
 * How much of something is done, as an answer tells it: `37 %`, `12 of 90 files`, `step 3/8`, `{"done":3,"total":8}`.
 * From 0 to 1; undefined where nothing is told that has an end. Linear in the text.
 */
export function shareOf(text: string): number | undefined {
  const [, done, all] = OF.exec(text) ?? [];
  if (done !== undefined) return share(Number(done), Number(all));
  const percent = PERCENT.exec(text)?.[1];
  if (percent !== undefined) return share(Number(percent), 100);
  const named = NAMED_SHARE.exec(text)?.[1];
  if (named !== undefined) return share(Number(named), Number(named) <= 1 ? 1 : 100);
  const part = NAMED_PART.exec(text)?.[1];
  const whole = NAMED_WHOLE.exec(text)?.[1];
  return part === undefined || whole === undefined ? undefined : share(Number(part), Number(whole));
}

const share = (done: number, all: number): number | undefined =>
  all > 0 && done <= all ? done / all : undefined;

const NUMBER = String.raw`(\d{1,12}(?:\.\d{1,20})?)`;
/** No date and no path: there are no more than two numbers. */
const OF = new RegExp(String.raw`(?<![\w./:-])${NUMBER}(?: of |/| / | out of )${NUMBER}(?![\w/:-])`, 'i');
const PERCENT = new RegExp(String.raw`(?<![\w.])${NUMBER} ?(?:%|percent\b)`, 'i');
const named = (names: string): RegExp =>
  new RegExp(String.raw`(?<![a-z])(?:${names})\\{0,3}["']?\s{0,3}[:=]\s{0,3}${NUMBER}(?![\d.])`, 'i');
const NAMED_SHARE = named('progress|percent|pct|percentage');
const NAMED_PART = named(
  'done|completed|processed|finished|copied|uploaded|downloaded|passed|current|position',
);
const NAMED_WHOLE = named('total|of|all|count|size|expected');

/** The least by which a share has to grow to be news: what it can be news for has an end. */
export const LEAST_SHARE = 0.001;
