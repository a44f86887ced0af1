import {
  type ComparisonDocument,
  comparisonText,
  type EvalDocument,
  type EvalPlan,
  evalText,
} from '@cuebook/eval';
import type { RunId } from '@cuebook/journal';
import { type Call, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { screenText } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { documentOf, readStarted } from './about.js';
import { judgeLook, openJudges } from './judge/score.js';
import { printLink } from './link.js';
import { budgetFlag, wholeNumber } from './numbers.js';
import { writeOutputs } from './outputs.js';
import { planOf, planText } from './plan.js';
import { prepareEval } from './prepare.js';
import { comparisonNow, marksOf } from './read-document.js';
import { type PlannedEval, planRun, runTakes } from './run-takes.js';
import { noDocument } from './step-document.js';
import { followLook } from './through/follow.js';

/**
 * `eval` and `compare`: plan, run, look, tell. A take without a score is told, counted, and never a silent 0: `eval` exits
 * with 1 for any of them; `compare` exits with 1 for `worse`, and with `--strict` for `open` and for any of them.
 */
export async function runEval(given: Call, what: 'eval' | 'compare'): Promise<number> {
  const { args, flags, io } = given;
  const [first] = args;
  const isShown = flags.change === undefined && flags.base === undefined;
  if (args.length === 1 && first?.startsWith('run_') && isShown) return showRun(given, first as RunId);
  if (flags.injection !== undefined) return (await import('./injection/command.js')).runInjection(given);
  const bench = await openBench(flags, io);
  const prepared = await prepareEval(given, bench, what);
  const { call = given } = prepared;
  const jobs = wholeNumber(flags, 'jobs', [1, 99]) ?? DEFAULT_JOBS;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const planned = await planRun(call, { bench, journal }, prepared, {
      isFresh: isOn(flags, 'fresh'),
      jobs,
    });
    const plan = await planOf(call, bench, planned);
    if (!planned.isThere) io.err(planText(plan, what, planned.about.margin));
    if (!planned.isThere) requireBudget(call, plan);
    if (isOn(flags, 'plan')) {
      if (isOn(flags, 'json')) await printJson(io, { plan });
      return 0;
    }
    const desk = { call, bench, journal, jobs };
    const judges = await openJudges(desk, planned);
    const marks = await marksOf(call, bench, planned.about);
    const { document, report } = await runTakes({
      ...{ call, bench, journal, planned },
      budget: limitOf(call, plan, planned),
      read: async (look) => {
        if (prepared.answers !== undefined) await followLook(desk, planned, prepared.answers, look);
        await judgeLook(desk, planned, judges, look);
        return documentOf(journal.store, planned.run, look, marks);
      },
    });
    await writeOutputs(call, document, { folder: bench.folder, about: planned.about });
    await print(
      call,
      document,
      report.status === 'waiting'
        ? 'The budget is spent: the same command with a larger --budget goes on.'
        : undefined,
    );
    return exitOf(call, document, report.status);
  });
}

export const DEFAULT_JOBS = 8;

/** Nothing is spent that the plan says is over the budget, without a word. */
export function requireBudget({ flags }: Call, plan: Pick<EvalPlan, 'tokens' | 'usd'>): void {
  const budget = budgetFlag(flags);
  const isOver =
    (budget.tokens !== undefined && plan.tokens > budget.tokens) ||
    (budget.usd !== undefined && (plan.usd === null || plan.usd > budget.usd));
  if (isOver && !isOn(flags, 'yes'))
    throw new Failure('E_EVAL_BUDGET', 'The plan is over the budget: give more, fewer takes, or --yes', {
      exit: 1,
    });
}

/** What a run may spend: what the call says, and else far more than its plan. */
export function limitOf({ flags }: Call, plan: EvalPlan, { start }: Pick<PlannedEval, 'start'>) {
  const budget = budgetFlag(flags);
  return {
    turns: Math.max(1, start.takes.length * 2),
    tokens: budget.tokens ?? Math.max(2_000_000, plan.tokens * 10),
    ...(budget.usd === undefined ? {} : { usd: budget.usd }),
  };
}

/** The document of a comparison on record, rebuilt from the record alone. */
async function showRun(call: Call, run: RunId): Promise<number> {
  const { flags, io } = call;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const { store } = journal;
    const told = await (await import('./injection/command.js')).showInjection(call, journal, run);
    if (told !== undefined) return told;
    const started = await readStarted(store, run);
    if (started === undefined)
      throw new Failure('E_RUN_UNKNOWN', `${run} is no eval and no comparison`, { exit: 1 });
    const document = await comparisonNow(call, store, run);
    if (document === undefined) throw noDocument(run, started.about);
    await writeOutputs(call, document, { folder: io.cwd, about: started.about });
    await print(call, document);
    return exitOf(call, document, 'done');
  });
}

async function print(call: Call, document: ComparisonDocument | EvalDocument, next?: string): Promise<void> {
  const { flags, io } = call;
  if (isOn(flags, 'json')) {
    await printJson(io, document);
    return;
  }
  const text = 'verdict' in document ? comparisonText(document, next) : evalText(document);
  await io.out(screenText(text, io.terminal.out));
  await printLink(call, document.id);
}

function exitOf({ flags }: Call, document: ComparisonDocument | EvalDocument, status: string): number {
  if (status !== 'done') return 1;
  if (!('verdict' in document))
    return document.metrics.every(({ mean, missing }) => mean !== null && missing === 0) ? 0 : 1;
  const { verdict, missing } = document;
  if (verdict === 'worse') return 1;
  const isWhole = verdict !== 'open' && missing.base + missing.candidate === 0;
  return !isWhole && isOn(flags, 'strict') ? 1 : 0;
}
