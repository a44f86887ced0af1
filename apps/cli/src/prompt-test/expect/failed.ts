/** An expectation that was not met. */
export interface Failed {
  /** Where the expectation stands in its case: `request.contains`. */
  readonly path: string;
  readonly message: string;
  /** Lines that differ, each with `-`, `+` or a blank before it. */
  readonly diff?: readonly string[];
}

/** The beginning of a text on one line, for messages. */
export function short(text: string, limit = 120): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const points = [...line.slice(0, limit * 2)];
  return points.length <= limit && line.length <= limit * 2 ? line : `${points.slice(0, limit).join('')}…`;
}
