import { type AblationDocument, ablationText, contentWords, pairsToTry, type UnitFacts } from '@cuebook/eval';
import type { RunId } from '@cuebook/journal';
import type { Diagnostic } from '@cuebook/prompt';
import { type Call, flagValue, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { toSarif } from '../output/sarif.js';
import { screenText } from '../output/style.js';
import { type Bench, openBench } from '../project/bench.js';
import { type Journal, journalPlace, withOpened } from '../record/journal.js';
import { replaceNamedFile } from '../record/named-output.js';
import { ablationOf, type ReadAblation } from './ablation.js';
import { type AblationStep, readStarted } from './about.js';
import { DEFAULT_JOBS, limitOf, requireBudget } from './command.js';
import { printLink } from './link.js';
import { wholeNumber } from './numbers.js';
import type { PreparedEval } from './opened.js';
import { ablationPlanText, planOf } from './plan.js';
import { prepareEval } from './prepare.js';
import { type PlannedEval, planRun, runTakes } from './run-takes.js';
import { sensorsOf } from './sensors.js';
import { noDocument } from './step-document.js';
import { stepOf } from './units.js';

/** `ablate`: plan, leave out units one by one, then together those that could go, then pairs of them where that harms. */
export async function runAblate(given: Call): Promise<number> {
  const { args, flags, io } = given;
  const [first] = args;
  if (args.length === 1 && first?.startsWith('run_') && !first.includes('@'))
    return showAblation(given, first as RunId);
  const bench = await openBench(flags, io);
  const prepared = await prepareEval(given, bench, 'ablate');
  const { call = given } = prepared;
  const jobs = wholeNumber(flags, 'jobs', [1, 99]) ?? DEFAULT_JOBS;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const desk = { call, bench, journal };
    const planned = await planRun(call, desk, prepared, { isFresh: isOn(flags, 'fresh'), jobs });
    const plan = await planOf(call, bench, planned);
    io.err(ablationPlanText(plan, planned.about));
    if (!planned.isThere) requireBudget(call, plan);
    if (isOn(flags, 'plan')) {
      if (isOn(flags, 'json')) await printJson(io, { plan });
      return 0;
    }
    const read = () => readAblation(desk, planned.run);
    const ran = await runTakes({ ...desk, planned, budget: limitOf(call, plan, planned), read });
    let [{ document }, status] = [ran.document, ran.report.status];
    for (const step of nextSteps(ran.document, planned.about.ablation?.units ?? [])) {
      if (status !== 'done') break;
      const sets = step.sets(document);
      if (sets.length === 0) continue;
      const done = await runStep({ ...desk, planned, prepared, jobs }, { name: step.name, sets });
      ({ document } = done.document);
      status = done.report.status;
    }
    await tell(call, document, bench.folder);
    if (status !== 'done') io.err('The budget is spent: the same command with a larger --budget goes on.\n');
    return status === 'done' ? 0 : 1;
  });
}

interface AblationDesk {
  readonly call: Call;
  readonly bench: Bench;
  readonly journal: Journal;
}

interface NextStep {
  readonly name: AblationStep;
  readonly sets: (document: AblationDocument) => readonly (readonly number[])[];
}

/** The units that could go, left out together on takes of their own; where that harms, pairs of them. */
const nextSteps = ({ next }: ReadAblation, units: readonly UnitFacts[]): readonly NextStep[] => [
  { name: 'joint', sets: () => (next.length === 0 ? [] : [next]) },
  {
    name: 'pairs',
    sets: ({ joint }) => (joint === null || joint.isSafe ? [] : pairsToTry(units, next, isRelated)),
  },
];

/** Two units that stand in one file, or share words. */
function isRelated(one: UnitFacts, other: UnitFacts): boolean {
  if (one.file !== null && one.file === other.file) return true;
  const known = contentWords(other.text);
  return [...contentWords(one.text)].some((word) => known.has(word));
}

async function runStep(
  {
    call,
    bench,
    journal,
    planned,
    prepared,
    jobs,
  }: AblationDesk & {
    readonly planned: PlannedEval;
    readonly prepared: PreparedEval;
    readonly jobs: number;
  },
  step: { readonly name: AblationStep; readonly sets: readonly (readonly number[])[] },
) {
  const own = stepOf(bench, prepared, step);
  const next = await planRun(call, { bench, journal }, own, {
    isFresh: false,
    jobs,
    step: { of: planned, name: step.name, after: planned.about.takes },
  });
  const plan = await planOf(call, bench, next);
  if (!next.isThere) requireBudget(call, plan);
  const read = () => readAblation({ call, bench, journal }, planned.run);
  return runTakes({ call, bench, journal, planned: next, budget: limitOf(call, plan, next), read });
}

const readAblation = ({ bench, journal }: AblationDesk, run: RunId): Promise<ReadAblation | undefined> =>
  ablationOf(journal.store, run, bench.hash);

async function showAblation(call: Call, run: RunId): Promise<number> {
  const { flags, io } = call;
  const bench = await openBench(flags, io);
  return withOpened(await journalPlace(flags, io), async ({ store }) => {
    const read = await ablationOf(store, run, bench.hash);
    if (read === undefined) {
      const started = await readStarted(store, run);
      if (started !== undefined) throw noDocument(run, started.about);
      throw new Failure('E_RUN_UNKNOWN', `${run} is no ablation`, { exit: 1 });
    }
    await tell(call, read.document, bench.folder);
    return 0;
  });
}

async function tell(call: Call, document: AblationDocument, folder: string): Promise<void> {
  const { flags, io } = call;
  const sarif = flagValue(flags, 'sarif');
  const write = (file: string, value: unknown): Promise<void> =>
    replaceNamedFile(io, file, new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`));
  if (sarif !== undefined) await write(sarif, await toSarif(sarifOf(document), folder));
  const sensors = flagValue(flags, 'save-sensors');
  if (sensors !== undefined) await write(sensors, sensorsOf(document));
  if (isOn(flags, 'json')) return printJson(io, document);
  await io.out(screenText(ablationText(document), io.terminal.out));
  await printLink(call, document.id);
}

/** Findings on the lines of prompts: what harms, and what no case notices. */
const sarifOf = ({ units, metric }: AblationDocument): readonly Diagnostic[] =>
  units.flatMap(({ verdict, adds, interval, file, line, text }): Diagnostic[] => {
    if (verdict !== 'harms' && verdict !== 'not exercised') return [];
    const by =
      adds === null || interval === null
        ? ''
        : `: ${metric} ${adds > 0 ? '+' : ''}${adds.toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;
    return [
      {
        code: 'W_ABLATE_UNIT',
        severity: 'warning',
        message: `"${text.slice(0, 80)}" ${verdict === 'harms' ? 'harms' : 'is not exercised by any case'}${by}`,
        ...(file === null ? {} : { file }),
        ...(line === null ? {} : { line }),
      },
    ];
  });
