import { ACTIONS, type Action, chooseAction, NEUTRAL, type Weights } from '@cuebook/bundle';
import type { Store } from '@cuebook/journal';
import { type ResidentEvent, residentRun } from '@cuebook/resident';
import type { Inhabitant } from './inhabitant.js';

/** What came of a day. */
export interface DayReport {
  readonly agents: readonly AgentDay[];
}

export interface AgentDay {
  readonly agent: string;
  readonly run: string;
  /** How often each scenario was said and taken. */
  readonly deeds: Readonly<Record<string, number>>;
  readonly objects: readonly string[];
  readonly corrected: number;
  readonly refused: readonly string[];
  readonly failed: readonly string[];
  /** Updates that were not taken. */
  readonly verificationFailures: readonly string[];
  readonly card: number | null;
  readonly bundle: number | null;
  readonly feedback: number;
  readonly weights: Weights;
  /** Of 1,000 seeded decisions: how many fell on each action before anything was learned, and after. */
  readonly decisions: { readonly before: Weights; readonly after: Weights };
  /** The report to the owner. */
  readonly report: string | null;
}

export const reportOf = async (
  people: readonly Inhabitant[],
  store: Pick<Store, 'read'>,
): Promise<DayReport> => ({
  agents: await Promise.all(people.map((person) => agentDay(person, store))),
});

async function agentDay({ agent, draft, engine }: Inhabitant, store: Pick<Store, 'read'>): Promise<AgentDay> {
  const { state } = await engine.read(residentRun(agent));
  const events = await allEvents(store, agent);
  const of = <Type extends ResidentEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<ResidentEvent, { type: Type }> => event.type === type);
  const done = of('deed.done').map(({ data }) => data);
  const deeds: Record<string, number> = {};
  for (const { scenario } of done) deeds[scenario] = (deeds[scenario] ?? 0) + 1;
  const decide = (weights: Weights) => countDecisions(agent, draft.personality, weights);
  return {
    agent,
    run: residentRun(agent),
    deeds,
    objects: done.filter(({ written }) => written).map(({ key }) => key),
    corrected: of('deed.corrected').length,
    refused: of('deed.refused').map(({ data }) => data.scenario),
    failed: of('deed.failed').map(({ data }) => `${data.scenario} ${data.code}`),
    verificationFailures: of('resident.synced').flatMap(({ data }) =>
      data.failures.map(({ code, reason }) => `${code} ${reason}`),
    ),
    card: state.trust?.cardVersion ?? null,
    bundle: state.trust?.bundleVersion ?? null,
    feedback: of('feedback.taken').length,
    weights: state.memory.weights,
    decisions: { before: decide(NEUTRAL), after: decide(state.memory.weights) },
    report: done.findLast(({ scenario }) => scenario === 'daily_report')?.text ?? null,
  };
}

/** The same thousand seeds for every weight, so that what differs is what was learned. */
function countDecisions(
  agent: string,
  personality: Inhabitant['draft']['personality'],
  weights: Weights,
): Weights {
  const counts: Record<Action, number> = { ...NEUTRAL };
  for (const action of ACTIONS) counts[action] = 0;
  for (let n = 0; n < 1000; n += 1)
    counts[chooseAction({ personality, weights, available: ACTIONS }, `${agent} ${n}`)] += 1;
  return counts;
}

async function allEvents(store: Pick<Store, 'read'>, agent: string): Promise<readonly ResidentEvent[]> {
  const all: ResidentEvent[] = [];
  let after = 0;
  for (;;) {
    const events = await store.read(residentRun(agent), { after });
    if (events.length === 0) return all;
    after = events.at(-1)?.seq ?? after;
    all.push(...(events as unknown as ResidentEvent[]));
  }
}
