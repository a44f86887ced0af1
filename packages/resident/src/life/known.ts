/** Another agent, as far as this one has dealt with it. */
export type Acquaintance = {
  readonly name: string;
  /** Messages that came from it, and that went to it. */
  readonly heard: number;
  readonly said: number;
  /** The day since when both have spoken. */
  readonly friendSince?: string;
  /** Tasks in which both take or took part. */
  readonly tasks: readonly string[];
};

/** By agent, those it dealt with last at the end. */
export type Known = Readonly<Record<string, Acquaintance>>;

export const acquaintance = (known: Known, agent: string): Acquaintance =>
  (Object.hasOwn(known, agent) ? known[agent] : undefined) ?? { name: agent, heard: 0, said: 0, tasks: [] };

/** One more word between the two. */
export function withWord(known: Known, agent: string, by: 'heard' | 'said', day: string): Known {
  const before = acquaintance(known, agent);
  const after = { ...before, [by]: before[by] + 1 };
  const isFriend = after.friendSince === undefined && after.heard > 0 && after.said > 0;
  return keep(known, agent, isFriend ? { ...after, friendSince: day } : after);
}

export function withTask(known: Known, agent: string, task: string): Known {
  const before = acquaintance(known, agent);
  if (before.tasks.includes(task)) return known;
  return keep(known, agent, { ...before, tasks: [...before.tasks, task].slice(-MOST_TASKS) });
}

/** The name on a verified card; only of those it has dealt with. */
export function withName(known: Known, agent: string, name: string): Known {
  if (!Object.hasOwn(known, agent) || known[agent]?.name === name) return known;
  return { ...known, [agent]: { ...acquaintance(known, agent), name } };
}

function keep(known: Known, agent: string, value: Acquaintance): Known {
  const { [agent]: _, ...others } = known;
  return Object.fromEntries([...Object.entries(others).slice(-(MOST_KNOWN - 1)), [agent, value]]);
}

const MOST_KNOWN = 200;
const MOST_TASKS = 20;
