import { shuffled } from '@cuebook/eval';
import type { TakePlan } from '@cuebook/host';
import type { Hash } from '@cuebook/prompt';
import type { CaseRequest } from './variant.js';

/** A case as a run asks for it, under each variant in turn. */
export interface PlannedCase {
  readonly id: string;
  /** By variant, in their order. */
  readonly requests: readonly CaseRequest[];
  /** Where a case has variants of its own; one take is asked for under each. */
  readonly variants?: readonly string[];
}

export interface DesignInput {
  readonly cases: readonly PlannedCase[];
  readonly variants: readonly string[];
  readonly takes: number;
  /** Takes that count as asked for already: the numbers of these go on behind them. */
  readonly after?: number;
  readonly seed: number;
  readonly voice: readonly string[];
  readonly hash: Hash;
}

export interface PlannedTake extends Omit<TakePlan, 'from'> {
  readonly case: string;
  readonly variant: string;
}

/**
 * Every take in the order in which it is asked for: cases in an order that the seed gives, the variants of a case one
 * after the other, and the first of them another one from take to take. A provider that drifts drifts for all alike.
 */
export function planTakes({
  cases,
  variants: all,
  takes: asked,
  after = 0,
  seed,
  voice,
  hash,
}: DesignInput): {
  readonly takes: readonly PlannedTake[];
  readonly requests: readonly CaseRequest[];
} {
  const requests: CaseRequest[] = [];
  const planned: PlannedTake[] = [];
  for (const each of shuffled(cases, seed)) {
    const [variants, takes] = each.variants === undefined ? [all, asked] : [each.variants, 1];
    const [first, numbers] = [requests.length, takeNumbers(each, takes)];
    requests.push(...each.requests);
    for (let take = 0; take < takes; take += 1)
      for (let turn = 0; turn < variants.length; turn += 1) {
        const at = (turn + take) % variants.length;
        const number = after + (numbers[at] as number) + take;
        const { kept, request } = each.requests[at] as CaseRequest;
        const { tools, params } = request;
        planned.push({
          lane: `${variants[at]}/${number}/${each.id}`,
          key: hash(JSON.stringify(['take', kept.hash, tools, params, ...voice, each.id, number])).slice(
            7,
            47,
          ),
          request: first + at,
          case: each.id,
          variant: variants[at] as string,
        });
      }
  }
  return { takes: planned, requests };
}

/** From which number the takes of each variant count: variants with the same request never share a take. */
function takeNumbers({ requests }: PlannedCase, takes: number): readonly number[] {
  const seen = new Map<string, number>();
  return requests.map(({ kept: { hash }, request: { tools, params } }) => {
    const key = JSON.stringify([hash, tools, params]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before * takes + 1;
  });
}
