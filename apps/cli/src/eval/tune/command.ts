import { planEval, splitCases } from '@cuebook/eval';
import { type Call, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count, screenText } from '../../output/style.js';
import { openBench } from '../../project/bench.js';
import { openDesk } from '../../prompt-test/desk.js';
import { journalPlace, withOpened } from '../../record/journal.js';
import { replaceNamedFile } from '../../record/named-output.js';
import { DEFAULT_JOBS } from '../command.js';
import { wholeNumber } from '../numbers.js';
import { voicedCall } from '../voice.js';
import { composer } from './compose.js';
import { readTune, type TuneSetting } from './file.js';
import { outcomeText } from './outcome.js';
import type { TuneDesk } from './runs.js';
import { tune } from './search.js';

/** `tune`: proposals for named texts, checked, raced on one part of the cases, decided once on the other. Nothing is written but the patch. */
export async function runTuneCommand(given: Call): Promise<number> {
  const { args, flags, io } = given;
  const [file] = args;
  if (file === undefined) throw usage('tune needs a tune file: tune/NAME.yaml');
  const bench = await openBench(flags, io);
  const setting = await readTune(bench, file);
  const call = voicedCall(given, setting.tests);
  const takes = wholeNumber(flags, 'takes', [1, 100]) ?? setting.tests[0]?.evals?.takes ?? 1;
  const seed = wholeNumber(flags, 'seed', [0, 2 ** 31]) ?? 20240229;
  const jobs = wholeNumber(flags, 'jobs', [1, 99]) ?? DEFAULT_JOBS;
  const cases = setting.tests.map((test) => ({ test, id: test.name, cluster: test.cluster ?? test.name }));
  const { work, held } = splitCases(cases, {
    held: setting.held,
    hash: bench.hash,
    salt: String(setting.tests[0]?.target),
  });
  if (work.length === 0 || held.length === 0)
    throw new Failure(
      'E_EVAL_NONE',
      'Tuning takes cases on both sides: write more of them, in more clusters',
      { exit: 1 },
    );
  io.err(
    planText(setting, {
      work: work.length,
      held: held.length,
      takes,
      clusters: new Set(held.map(({ cluster }) => cluster)).size,
    }),
  );
  if (isOn(flags, 'plan')) return 0;
  const opened = await openDesk(call, bench, new Map());
  try {
    return await withOpened(await journalPlace(flags, io), async (journal) => {
      const desk: TuneDesk = { call, bench, journal, jobs, seed, takes };
      const compose = composer(bench, opened.desk);
      const outcome = await tune(desk, {
        setting,
        work: work.map(({ test }) => test),
        held: held.map(({ test }) => test),
        compose,
      });
      const out = flagValue(flags, 'patch');
      if (out !== undefined && outcome.patch !== '')
        await replaceNamedFile(io, out, new TextEncoder().encode(outcome.patch));
      if (isOn(flags, 'json')) await printJson(io, outcome);
      else await io.out(screenText(outcomeText(outcome), io.terminal.out));
      return outcome.patch === '' ? 1 : 0;
    });
  } finally {
    await opened.close();
  }
}

function planText(
  { candidates, margin }: TuneSetting,
  {
    work,
    held,
    takes,
    clusters,
  }: { readonly work: number; readonly held: number; readonly takes: number; readonly clusters: number },
): string {
  const { canSee } = planEval({
    cases: held,
    clusters,
    takes,
    variants: 2,
    onRecord: 0,
    margin,
    tokens: 0,
    usd: null,
  });
  return `plan: ${count(candidates, 'candidate')}, ${count(work, 'case')} to search on, ${held} held to decide; at most ${work * takes + candidates + work * takes * (candidates + 1) + held * takes * 2} takes\nplan: the held part can see a difference of ${canSee.toFixed(3).replace(/^0/u, '')}\n`;
}
