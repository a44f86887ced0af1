import { type EvalPlan, planEval, visibleAmong } from '@cuebook/eval';
import { createTokenCounter } from '@cuebook/prompt';
import { priceOf, pricesOf } from '@cuebook/provider';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Call, flagValue } from '../command.js';
import { count as counted } from '../output/style.js';
import type { Bench } from '../project/bench.js';
import { requireProviders } from '../project/providers.js';
import type { EvalAbout } from './about.js';
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
    variants: about.ablation?.design === 'subsets' ? 1 : about.names.length,
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
  const grouped = clusters === cases ? '' : ` in ${counted(clusters, 'cluster')}`;
  const lines = [
    `plan: ${counted(cases, 'case')}${grouped} x ${counted(takes, 'take')} x ${counted(variants, 'variant')} = ${counted(toRun, 'take')} to run, ${onRecord} on record; ${counted(tokens, 'token')} of requests, ${cost}`,
  ];
  if (what === 'compare') {
    const why = isMeasured ? 'by the spread of the last run' : 'if one case in five answers otherwise';
    const more =
      enough === null
        ? ''
        : `; for ${shown(margin)}: ${counted(enough.cases, 'case')} x ${counted(enough.takes, 'take')}`;
    lines.push(`plan: can see a difference of ${shown(canSee)} (${why})${more}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The plan of an ablation: units are tested together, so that what it can see is larger than for one difference. */
export function ablationPlanText(
  plan: EvalPlan,
  { ablation, margin }: Pick<EvalAbout, 'ablation' | 'margin'>,
): string {
  const { cases, clusters, takes, toRun, onRecord, tokens, usd } = plan;
  const units = ablation?.units.length ?? 0;
  const isSubsets = ablation?.design === 'subsets';
  const cost = usd === null ? 'price unknown' : `at least $${usd.toFixed(4)}`;
  const grouped = clusters === cases ? '' : ` in ${counted(clusters, 'cluster')}`;
  const variants = isSubsets ? 'random subsets' : counted(units + 1, 'variant');
  const alone = isSubsets ? plan.canSee / Math.sqrt(KEPT_SPREAD) : plan.canSee;
  const more = isSubsets
    ? []
    : [
        `plan: then up to ${counted(cases * takes * (2 + MOST_MORE), 'take')} for units that could go together\n`,
      ];
  return [
    `plan: ${counted(units, 'unit')}, ${counted(cases, 'case')}${grouped} x ${counted(takes, 'take')} x ${variants} = ${counted(toRun, 'take')} to run, ${onRecord} on record; ${counted(tokens, 'token')} of requests, ${cost}\n`,
    `plan: can see what a unit adds from ${shown(visibleAmong(alone, units))} on, margin ${shown(margin)} (if one case in five answers otherwise)\n`,
    ...more,
  ].join('');
}

/** A subset keeps 85 of 100 units: what one of them adds spreads by so much of what a pair would. */
const KEPT_SPREAD = 0.85 * 0.15;
const MOST_MORE = 15;

const shown = (value: number): string => value.toFixed(3).replace(/^0\./u, '.');
