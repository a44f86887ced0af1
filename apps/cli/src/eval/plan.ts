import { type EvalPlan, planEval } from '@cuebook/eval';
import { createTokenCounter } from '@cuebook/prompt';
import { priceOf, pricesOf } from '@cuebook/provider';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Call, flagValue } from '../command.js';
import type { Bench } from '../project/bench.js';
import { requireProviders } from '../project/providers.js';
import type { PlannedEval } from './run-takes.js';

/** What the takes that are not on record will cost at least, and what all of them can see. */
export async function planOf({ flags }: Call, bench: Bench, planned: PlannedEval): Promise<EvalPlan> {
  const { start, about, requests } = planned;
  const count = createTokenCounter(await loadTokenizer());
  const sizes = requests.map(({ request }) => count(request.prompt).total);
  const missing = start.takes.filter(({ from }) => from === undefined);
  const prices = pricesOf(await requireProviders(bench.files));
  let [tokens, usd]: [number, number | null] = [0, 0];
  for (const { request: at } of missing) {
    const size = sizes[at] as number;
    const model = flagValue(flags, 'model') ?? requests[at]?.request.params.model;
    const price = typeof model === 'string' ? priceOf(model, prices) : undefined;
    tokens += size;
    usd = usd === null || price === undefined ? null : usd + (size * price.input) / 1e6;
  }
  return planEval({
    cases: about.cases.length,
    clusters: new Set(about.cases.map(({ cluster }) => cluster)).size,
    takes: about.takes,
    variants: about.names.length,
    onRecord: start.takes.length - missing.length,
    margin: about.margin,
    tokens,
    usd,
  });
}

/** The plan as people read it, before anything is spent. */
export function planText(plan: EvalPlan, what: 'eval' | 'compare', margin: number): string {
  const { cases, clusters, takes, variants, toRun, onRecord, tokens, usd, canSee, enough, isMeasured } = plan;
  const cost = usd === null ? 'price unknown' : `at least $${usd.toFixed(4)}`;
  const grouped = clusters === cases ? '' : ` in ${clusters} clusters`;
  const lines = [
    `plan: ${cases} cases${grouped} x ${takes} takes x ${variants} variants = ${toRun} takes to run, ${onRecord} on record; ${tokens} tokens of requests, ${cost}`,
  ];
  if (what === 'compare') {
    const why = isMeasured ? 'by the spread of the last run' : 'if one case in five answers otherwise';
    const more =
      enough === null ? '' : `; for ${shown(margin)}: ${enough.cases} cases x ${enough.takes} takes`;
    lines.push(`plan: can see a difference of ${shown(canSee)} (${why})${more}`);
  }
  return `${lines.join('\n')}\n`;
}

const shown = (value: number): string => value.toFixed(3).replace(/^0\./u, '.');
