import { decideTune, modelNames, patchOf } from '@cuebook/eval';
import type { RunId } from '@cuebook/journal';
import { Failure } from '../../failure.js';
import type { TestCase } from '../../prompt-test/case-file.js';
import { spokenOf } from '../../run/note.js';
import { readStarted } from '../about.js';
import { stepRun } from '../step-run.js';
import type { CaseRequest } from '../variant.js';
import { propose, type RacedProposal, race, sift } from './candidates.js';
import { caseOf, type TuneInput, wordsOf } from './compose.js';
import { NOTHING, type TuneOutcome } from './outcome.js';
import { runTune, type TuneDesk } from './runs.js';

/** Proposes, sifts, races and decides. */
export async function tune(desk: TuneDesk, input: TuneInput): Promise<TuneOutcome> {
  const { bench } = desk;
  const { setting, work, compose } = input;
  const base = await compose(work);
  const voice = await spokenOf(desk.call);
  const of = bench.hash(
    JSON.stringify(['tune', voice, setting.cases, setting.tunable, base.map(({ kept }) => kept.hash)]),
  );
  const first = await runTune(desk, {
    of,
    name: 'base',
    names: ['base'],
    cases: base.map((request, at) => caseOf(work[at] as TestCase, [request])),
  });
  const failures = first.said
    .filter(({ score }) => score === 0)
    .map(({ id, text }) => ({
      input: wordsOf(base[work.findIndex(({ name }) => name === id)]),
      answer: text,
    }));
  const texts = await Promise.all(
    setting.tunable.map(async (file) => {
      const text = await bench.project.readText(file);
      if (!text.ok) throw new Failure('E_TUNE_FILE', `${file} cannot be read`);
      return { file, text: text.value };
    }),
  );
  const { proposals, models } = await propose(desk, { setting, texts, failures, of });
  const { accepted, refused } = await sift(input, { base, proposals });
  const told = {
    ...{ ...NOTHING, proposals: proposals.length, refused },
    models: modelNames([...first.models, ...models]),
  };
  const best = accepted.length === 0 ? undefined : await race(desk, { accepted, base, work, of });
  if (best === undefined) return told;
  return { ...told, ...(await decide(desk, input, { best, texts, of })) };
}

/** One candidate, one look at the held part. Every decision is counted: each spends some of it. */
async function decide(
  desk: TuneDesk,
  { setting, held, compose }: TuneInput,
  {
    best: { proposal, gain },
    texts,
  }: {
    readonly best: RacedProposal;
    readonly texts: readonly { readonly file: string; readonly text: string }[];
    readonly of: string;
  },
): Promise<Partial<TuneOutcome>> {
  const { bench, journal } = desk;
  const [base, after] = [await compose(held), await compose(held, proposal)];
  const part = bench.hash(JSON.stringify(['held', held.map(({ name, target }) => [target, name]).sort()]));
  const told = [base, after].map((each) => each.map(({ kept }) => kept.hash));
  const key = bench.hash(JSON.stringify([await spokenOf(desk.call), ...told]));
  let before = 0;
  for (;;) {
    const run: RunId = stepRun(bench.hash, part, `decision ${before + 1}`);
    const started = await readStarted(journal.store, run);
    if (started === undefined || started.about.diff === key) break;
    before += 1;
  }
  const { against, run } = await runTune(desk, {
    ...{ of: part, name: `decision ${before + 1}`, names: ['base', 'candidate'], key },
    cases: held.map((test, at) => caseOf(test, [base[at] as CaseRequest, after[at] as CaseRequest])),
  });
  const decision = decideTune(against(1), { margin: setting.margin, decisionsBefore: before });
  const {
    judgement: { verdict, why, interval },
    propose: isBetter,
    gain: measured,
    decisions,
    advice,
  } = decision;
  return {
    searchGain: gain,
    held: { run, verdict, why, gain: measured, interval, decisions },
    advice,
    reason: isBetter ? proposal.why : null,
    patch: isBetter
      ? patchOf(proposal.file, texts.find(({ file }) => file === proposal.file)?.text ?? '', proposal.text)
      : '',
  };
}
