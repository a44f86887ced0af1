/** A value that differs, by where it stands: `temperature`, `parameters.properties.path.type`. */
export interface ValueChange {
  readonly path: string;
  /** Left out where there was none, or is none any more. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Every place where two JSON values differ. Where only the order of the keys does, both orders are told. */
export function diffValues(before: unknown, after: unknown, path = ''): readonly ValueChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [changed(path, before, after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const inside = keys.flatMap((key) => diffValues(before[key], after[key], join(path, key)));
  if (inside.length > 0) return inside;
  return [{ path: join(path, '(order)'), before: Object.keys(before), after: Object.keys(after) }];
}

const changed = (path: string, before: unknown, after: unknown): ValueChange => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
