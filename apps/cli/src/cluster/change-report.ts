import { changedAgents, type Manifests } from '@cuebook/manifest';
import type { PodChange } from '@cuebook/operator';
import { composeTarget } from '@cuebook/profile';
import type { Change, PromptDiff } from '@cuebook/prompt/diff';
import { compareMasked } from '../output/masked-diff.js';
import { count, type Style, screenText } from '../output/style.js';
import type { Bench } from '../project/bench.js';
import { benchOf } from './live.js';

/** What a change does to the Agents that it reaches. */
export interface ChangeReport {
  readonly agents: readonly AgentReach[];
  /** What is demanded, forbidden or advised anew, or no more, with the Agents that are told so. */
  readonly obligations: Change<SharedObligation>;
  /** How many pods are replaced, by Agent. */
  readonly rolls: readonly string[];
}

export interface AgentReach {
  readonly agent: string;
  readonly change: ReturnType<typeof changedAgents>[number]['change'];
  readonly pods: PodChange;
  readonly message?: string;
}

type Obligation = PromptDiff['obligations']['added'][number];
export type SharedObligation = Obligation & { readonly agents: readonly string[] };

export interface ReportOptions {
  readonly bench: Bench;
  readonly before: Manifests;
  readonly after: Manifests;
  /** What the operator would do to pods. Left out: pods of Agents with other words roll. */
  readonly pods?: ReadonlyMap<string, PodChange>;
  readonly reveal: boolean;
}

const PODS: Readonly<Record<AgentReach['change'], PodChange>> = {
  ...{ added: 'start', removed: 'end', changed: 'roll', broken: 'keep', fixed: 'roll' },
};

/** Every Agent that gets other words, and what these demand. Agents whose pods alone change are told as well. */
export async function changeReport(options: ReportOptions): Promise<ChangeReport> {
  const { bench, before, after, pods, reveal } = options;
  const changes = changedAgents(before, after);
  const agents: AgentReach[] = changes.map((each) => ({
    ...each,
    pods: pods?.get(each.agent) ?? PODS[each.change],
  }));
  const [old, now] = [benchOf(bench, before), benchOf(bench, after)];
  const added = new Map<string, SharedObligation & { agents: string[] }>();
  const dropped = new Map<string, SharedObligation & { agents: string[] }>();
  const note = (into: typeof added, agent: string, list: readonly Obligation[]): void => {
    for (const each of list) {
      const id = `${each.force} ${each.text}`;
      const known = into.get(id);
      if (known === undefined) into.set(id, { ...each, agents: [agent] });
      else if (!known.agents.includes(agent)) known.agents.push(agent);
    }
  };
  for (const { agent, change } of changes) {
    if (change === 'broken' || change === 'removed') continue;
    const is = await composeTarget(now, `manifest:${agent}`);
    const was = change === 'changed' ? await composeTarget(old, `manifest:${agent}`) : undefined;
    if (!is.ok) continue;
    const empty = { ...is.value, prompt: { ...is.value.prompt, blocks: [] } };
    const diff = compareMasked(was?.ok ? was.value : empty, is.value, { reveal });
    note(added, agent, diff.obligations.added);
    note(dropped, agent, diff.obligations.dropped);
  }
  const changed = new Set(agents.map(({ agent }) => agent));
  const rolls = [...(pods ?? new Map(agents.map((each) => [each.agent, each.pods])))]
    .filter(([, each]) => each === 'roll')
    .map(([agent]) => agent)
    .toSorted();
  const only = [...(pods ?? [])].filter(([agent, each]) => !changed.has(agent) && MOVES.has(each));
  return {
    agents: [
      ...agents,
      ...only.map(([agent, each]): AgentReach => ({ agent, change: 'changed', pods: each, message: BESIDE })),
    ],
    obligations: { added: [...added.values()], dropped: [...dropped.values()] },
    rolls,
  };
}

const MOVES: ReadonlySet<PodChange> = new Set(['roll', 'scale', 'start', 'end']);
const BESIDE = 'the words are the same; the image, the replicas or the rest of the configuration differ';

const POD_WORDS: Readonly<Record<PodChange, string>> = {
  start: 'its pods start',
  roll: 'its pods roll',
  scale: 'the number of its pods changes',
  stay: 'its pods stay',
  keep: 'its pods keep their words',
  end: 'its pods end',
};

/** The report for people. */
export function changeText(
  { agents, obligations, rolls }: ChangeReport,
  { style, isTerminal }: { readonly style: Style; readonly isTerminal: boolean },
): string {
  const show = (text: string): string => screenText(text, isTerminal);
  const told = ({ agents: by }: SharedObligation): string =>
    style.dim(` (${by.length === 1 ? by[0] : count(by.length, 'Agent')})`);
  const rows = [
    ...obligations.dropped.map(
      (each) => `${style.red(`- ${each.force}: ${show(each.text)}`)}${told(each)}\n`,
    ),
    ...obligations.added.map(
      (each) => `${style.green(`+ ${each.force}: ${show(each.text)}`)}${told(each)}\n`,
    ),
  ];
  const reach = agents.map(({ agent, change, pods, message }) => {
    const why = message === undefined ? '' : `: ${show(message)}`;
    return `${agent} ${change}, ${POD_WORDS[pods]}${why}\n`;
  });
  const title =
    agents.length === 0
      ? 'No Agent gets other words.\n'
      : `${count(agents.filter(({ change }) => change !== 'broken').length, 'Agent')} changed, ${count(agents.filter(({ change }) => change === 'broken').length, 'Agent')} broken, pods of ${rolls.length} roll\n`;
  return [
    title,
    rows.length === 0 ? '' : `\n${style.bold('By obligation')}\n${rows.join('')}`,
    reach.length === 0 ? '' : `\n${style.bold('By reach')}\n${reach.join('')}`,
  ].join('');
}
