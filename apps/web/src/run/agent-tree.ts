import type { RunSpeaker } from './story.js';

/** An agent with its place in the tree of who made whom. */
export interface TreeAgent {
  readonly agent: RunSpeaker;
  readonly depth: number;
  readonly children: number;
}

/** Agents under those that made them, in the order they began. Who was made by nobody that is known stands at the top. */
export function agentTree(
  agents: readonly RunSpeaker[],
  closed: ReadonlySet<string> = new Set(),
): readonly TreeAgent[] {
  const known = new Set(agents.map(({ id }) => id));
  const below = new Map<string | null, RunSpeaker[]>();
  for (const agent of agents) {
    const parent =
      agent.parent !== null && known.has(agent.parent) && agent.parent !== agent.id ? agent.parent : null;
    below.set(parent, [...(below.get(parent) ?? []), agent]);
  }
  const rows: TreeAgent[] = [];
  const walk = (parent: string | null, depth: number): void => {
    for (const agent of below.get(parent) ?? []) {
      rows.push({ agent, depth, children: below.get(agent.id)?.length ?? 0 });
      if (!closed.has(agent.id)) walk(agent.id, depth + 1);
    }
  };
  walk(null, 0);
  return rows;
}
