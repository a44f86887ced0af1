/** Fields of objects as server-side apply sees them: which leaves a manager has said, and what merging them gives. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** Lists whose items are known by one of their fields. All others are one value. */
const KEYS: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  ownerReferences: 'uid',
};

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keyed = (name: string, value: Json | undefined): string | undefined => {
  const key = KEYS[name];
  if (key === undefined || !Array.isArray(value)) return undefined;
  return value.every((each) => isFields(each) && typeof each[key] === 'string') ? key : undefined;
};

/** The path of every leaf, each as JSON of its steps. */
export function leavesOf(value: Fields): ReadonlyMap<string, Json> {
  const leaves = new Map<string, Json>();
  const walk = (each: Json, path: readonly string[]): void => {
    const name = path.at(-1) ?? '';
    const key = keyed(name, each);
    if (key !== undefined)
      for (const item of each as readonly Fields[]) walk(item, [...path, `${key}=${String(item[key])}`]);
    else if (isFields(each) && Object.keys(each).length > 0)
      for (const [field, below] of Object.entries(each)) walk(below, [...path, field]);
    else leaves.set(JSON.stringify(path), each);
  };
  walk(value, []);
  return leaves;
}

/** One object with the fields of another over it. */
export function merged(below: Json | undefined, over: Json, name = ''): Json {
  const key = keyed(name, over);
  if (key !== undefined) {
    const items = Array.isArray(below) ? [...(below as readonly Fields[])] : [];
    for (const item of over as readonly Fields[]) {
      const at = items.findIndex((each) => each[key] === item[key]);
      if (at === -1) items.push(item);
      else items[at] = merged(items[at], item) as Fields;
    }
    return items;
  }
  if (!isFields(over)) return over;
  const base = isFields(below) ? below : {};
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(over).map(([field, each]) => [field, merged(base[field], each, field)]),
    ),
  };
}

/** The object without a leaf, and without what is empty because of that. */
export function without(value: Json, path: readonly string[], name = ''): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  const key = keyed(name, value);
  if (key !== undefined) {
    const items = (value as readonly Fields[]).flatMap((item) => {
      if (`${key}=${String(item[key])}` !== step) return [item];
      const left = rest[0] === key ? undefined : without(item, rest);
      return left === undefined ? [] : [left];
    });
    return items.length === 0 ? undefined : items;
  }
  if (!isFields(value) || !(step in value)) return value;
  const left = without(value[step] as Json, rest, step);
  const { [step]: _, ...others } = value;
  const made = left === undefined ? others : { ...value, [step]: left };
  return Object.keys(made).length === 0 ? undefined : made;
}
