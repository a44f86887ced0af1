import type { UnitFacts, UnitKind, VariantFacts } from '@cuebook/eval';
import { type RecordedTake, readTakes, type TakePlan } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { ProjectDiff } from '../project/project-diff.js';
import type { AnswerChecks } from '../prompt-test/case-file.js';

/** What the record of a comparison keeps beside its takes: with them it gives the document, and nothing else is read. */
export type EvalAbout = {
  readonly what: 'eval' | 'compare' | 'ablate' | 'judge' | 'tune' | 'through';
  readonly seed: number;
  readonly takes: number;
  readonly margin: number;
  readonly primary: string;
  readonly guards: readonly string[];
  readonly metrics: Readonly<Record<string, AnswerChecks>>;
  readonly cases: readonly AboutCase[];
  readonly variants: readonly VariantFacts[];
  /** What each variant is called in lanes; the first two are the base and the candidate. */
  readonly names: readonly string[];
  /** Changed origins, where the difference is attributed to them. */
  readonly origins: readonly string[];
  readonly diff: JsonValue;
  /** The difference of the words as text. */
  readonly diffText: string;
  readonly earlier: readonly string[];
  /** What changed in the prompts of the project, with the lines of files and who is reached. It is no part of what makes a comparison this one. */
  readonly change?: ProjectDiff;
  /** Agents are followed: calls are answered from the record, and takes that leave it are missing. */
  readonly through?: true;
  /** Of a run that serves another one: which, and what it is called there. */
  readonly step?: { readonly of: string; readonly name: string };
  /** By metric, the judge that scores it, and the hash of its words then. */
  readonly judges?: Readonly<
    Record<string, { readonly judge: string; readonly judgeHash: string; readonly bothOrders?: true }>
  >;
  /** Of an ablation: its units, and for its later steps which of them are left out together. */
  readonly ablation?: {
    readonly kind: UnitKind;
    readonly design: 'loo' | 'subsets';
    readonly units: readonly UnitFacts[];
    readonly step?: { readonly name: AblationStep; readonly sets: readonly (readonly number[])[] };
  };
};

/** After the units one by one: those that could go together, then pairs of them. */
export type AblationStep = 'joint' | 'pairs';

export type AboutCase = {
  readonly id: string;
  readonly cluster: string;
  readonly target: string;
  readonly checks?: AnswerChecks;
};

export interface StartedEval {
  readonly takes: readonly TakePlan[];
  readonly looks: readonly number[];
  readonly model?: string;
  readonly about: EvalAbout;
}

/** What the first event of a run of kind `eval` holds; undefined for any other run. */
export async function readStarted(store: Pick<Store, 'read'>, run: RunId): Promise<StartedEval | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  return first?.type === 'eval.started' ? (first.data as unknown as StartedEval) : undefined;
}

export interface FoundTake {
  readonly plan: TakePlan;
  readonly found: RecordedTake | undefined;
}

/** Each take of the plan with what the record has of it, in this run or in the one that it was made in. */
export async function takesOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  plan: readonly TakePlan[],
): Promise<ReadonlyMap<string, FoundTake>> {
  const runs = new Map<string, ReadonlyMap<string, RecordedTake>>();
  const found = new Map<string, FoundTake>();
  for (const each of plan) {
    const place = each.from ?? { run, lane: each.lane };
    const known = runs.get(place.run) ?? (await readTakes(store, place.run as RunId));
    runs.set(place.run, known);
    found.set(each.lane, { plan: each, found: known.get(place.lane) });
  }
  return found;
}
