/** A field that holds points: a list of them, or one text with a point on each line. */
export type Points = string | readonly string[];

/**
 * The points of a text, one for each line. Where lines begin as those of a list do, the others go on with the point
 * before them. A point is one line, without the sign that it began with.
 */
export function bulletsOf(text: string): readonly string[] {
  const lines = text
    .split(BREAKS)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!lines.some((line) => SIGN.test(line))) return lines;
  const points: string[] = [];
  for (const line of lines) {
    const last = points.pop();
    if (last === undefined) points.push(withoutSign(line));
    else if (SIGN.test(line)) points.push(last, withoutSign(line));
    else points.push(`${last} ${line}`);
  }
  return points.filter((point) => point !== '');
}

/** A point of a list that is one already: a list says where its points end, so its lines belong together. */
export const bulletOf = (item: string): string =>
  withoutSign(
    item
      .split(BREAKS)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

const BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** `- `, `* `, `• ` or `1. ` at the beginning, or such a sign alone. */
const SIGN = /^(?:[-*+\u2022\u2023\u25e6\u2013\u2014]|\d{1,3}[.)])(?:\s+|$)/;

const withoutSign = (line: string): string => {
  const rest = line.replace(SIGN, '');
  return rest === line ? line : withoutSign(rest);
};
