import {
  betterHalf,
  checkProposal,
  decideTune,
  patchOf,
  planEval,
  proposerRequest,
  readProposal,
  type ScoredCase,
  splitCases,
  type TextProposal,
} from '@cuebook/eval';
import { memorySource } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import { composeRequest, createTokenCounter, describeRefusal, isBelow } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Call, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { screenText } from '../../output/style.js';
import { type Bench, benchOver, openBench } from '../../project/bench.js';
import type { TestCase } from '../../prompt-test/case-file.js';
import { openDesk } from '../../prompt-test/desk.js';
import { journalPlace, withOpened } from '../../record/journal.js';
import { replaceNamedFile } from '../../record/named-output.js';
import { spokenOf } from '../../run/note.js';
import { readStarted } from '../about.js';
import { DEFAULT_JOBS } from '../command.js';
import { wholeNumber } from '../numbers.js';
import { stepRun } from '../step-run.js';
import { type CaseRequest, composeVariant, overlaid } from '../variant.js';
import { readTune, type TuneSetting } from './file.js';
import { runTune, type TuneDesk } from './runs.js';

/** `tune`: proposals for named texts, checked, raced on one part of the cases, decided once on the other. Nothing is written but the patch. */
export async function runTuneCommand(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const [file] = args;
  if (file === undefined) throw usage('tune wants a tune file: tune/NAME.yaml');
  const bench = await openBench(flags, io);
  const setting = await readTune(bench, file);
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

type Compose = (tests: readonly TestCase[], proposal?: TextProposal) => Promise<readonly CaseRequest[]>;

/** Composes cases with the text of a proposal in the place of its file; nothing on the disk changes. */
const composer =
  (bench: Bench, desk: Parameters<typeof composeVariant>[2]['desk']): Compose =>
  async (tests, proposal) => {
    const over = proposal === undefined ? undefined : memorySource({ [proposal.file]: proposal.text });
    if (over?.ok === false)
      throw new Failure(over.error.code, `${proposal?.file} cannot be proposed`, { exit: 1 });
    const on =
      over === undefined || proposal === undefined
        ? bench
        : benchOver(bench, overlaid(bench.project, over.value, new Set([proposal.file])));
    const variant = { name: 'base', target: '', bench: on, edits: [] };
    const all: CaseRequest[] = [];
    for (const test of tests)
      all.push(
        await composeVariant(variant, test, {
          desk,
          recorded: new Map(),
          options: {
            words: () => {
              throw new TypeError('a proposal is no edit');
            },
          },
        }),
      );
    return all;
  };

interface TuneInput {
  readonly setting: TuneSetting;
  readonly work: readonly TestCase[];
  readonly held: readonly TestCase[];
  readonly compose: Compose;
}

interface RefusedProposal {
  readonly file: string;
  readonly why: string;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

interface TuneOutcome {
  readonly tune: 1;
  readonly proposals: number;
  readonly refused: readonly RefusedProposal[];
  /** What the best candidate gained on the cases that chose it: an overstatement. */
  readonly searchGain: number | null;
  readonly held: {
    readonly run: string;
    readonly verdict: string;
    readonly why: string;
    readonly gain: number | null;
    readonly interval: { readonly low: number; readonly high: number } | null;
    readonly decisions: number;
  } | null;
  readonly advice: string | null;
  readonly reason: string | null;
  readonly patch: string;
}

const NOTHING: TuneOutcome = {
  tune: 1,
  proposals: 0,
  refused: [],
  searchGain: null,
  held: null,
  advice: null,
  reason: null,
  patch: '',
};

async function tune(desk: TuneDesk, input: TuneInput): Promise<TuneOutcome> {
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
  const proposals = await propose(desk, { setting, texts, failures, of });
  const { accepted, refused } = await sift(input, { base, proposals });
  const told = { ...NOTHING, proposals: proposals.length, refused };
  const best = accepted.length === 0 ? undefined : await race(desk, { accepted, base, work, of });
  if (best === undefined) return told;
  return { ...told, ...(await decide(desk, input, { best, texts, of })) };
}

const caseOf = (test: TestCase, requests: readonly CaseRequest[]) => ({ id: test.name, requests, test });

/** What a case hands in. */
const wordsOf = (request: CaseRequest | undefined): string =>
  (request?.kept.blocks ?? [])
    .flatMap(({ pieces }) => pieces.filter(({ trust }) => isBelow(trust, 'operator')).map(({ text }) => text))
    .join('\n');

/** Asks for proposals: one request, as many answers as there are candidates. */
async function propose(
  desk: TuneDesk,
  {
    setting,
    texts,
    failures,
    of,
  }: {
    readonly setting: TuneSetting;
    readonly texts: readonly { readonly file: string; readonly text: string }[];
    readonly failures: readonly { readonly input: string; readonly answer: string }[];
    readonly of: string;
  },
): Promise<readonly TextProposal[]> {
  const { hash, redactor } = desk.bench;
  const { provider, model } = setting.proposer;
  const asked = proposerRequest({ texts, failures, maxTokens: setting.tokens?.max, model });
  const composed = composeRequest({ ...asked, hash, redactor });
  if (!composed.ok) {
    const [refusal] = composed.error;
    throw new Failure(
      refusal?.code ?? 'E_TUNE_FILE',
      refusal === undefined ? 'Refused' : describeRefusal(refusal),
      { exit: 1 },
    );
  }
  const request: CaseRequest = {
    kept: { ...asked, hash: composed.value.prompt.hash },
    request: composed.value,
    matched: [],
  };
  const isScripted = flagValue(desk.call.flags, 'script') !== undefined;
  const flags = {
    ...desk.call.flags,
    ...(provider === undefined || isScripted ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
  const test = { ...(setting.tests[0] as TestCase), name: 'proposal' };
  const { said } = await runTune(
    { ...desk, call: { ...desk.call, flags } },
    { of, name: 'propose', names: ['propose'], cases: [caseOf(test, [request])], takes: setting.candidates },
  );
  const read = said.flatMap(({ text }) => readProposal(text) ?? []);
  return read.filter(
    (each, at) => read.findIndex(({ file, text }) => file === each.file && text === each.text) === at,
  );
}

/** Proposals that keep what must be kept; the others are refused, never repaired, with every reason. */
async function sift(
  { setting, work, compose }: TuneInput,
  { base, proposals }: { readonly base: readonly CaseRequest[]; readonly proposals: readonly TextProposal[] },
): Promise<{
  readonly accepted: readonly {
    readonly proposal: TextProposal;
    readonly requests: readonly CaseRequest[];
  }[];
  readonly refused: readonly RefusedProposal[];
}> {
  const count = createTokenCounter(await loadTokenizer());
  const sideOf = ({ kept: { blocks, tools, params }, request: { prompt } }: CaseRequest) => ({
    ...{ prompt, blocks, tools, params },
    tokens: count(prompt).total,
  });
  const accepted: { readonly proposal: TextProposal; readonly requests: readonly CaseRequest[] }[] = [];
  const refused: RefusedProposal[] = [];
  const cases = base.map(wordsOf);
  for (const proposal of proposals) {
    const { file, why } = proposal;
    if (!setting.tunable.includes(file)) {
      refused.push({ file, why, problems: [{ code: 'E_TUNE_SCOPE', message: `${file} is not tunable` }] });
      continue;
    }
    try {
      const requests = await compose(work, proposal);
      const rules = {
        tunable: setting.tunable,
        free: setting.free,
        cases,
        ...(setting.tokens === undefined ? {} : { maxTokens: setting.tokens.max }),
      };
      const problems = requests.flatMap((after, at) =>
        checkProposal(sideOf(base[at] as CaseRequest), sideOf(after), rules),
      );
      const isSame = requests.every(({ kept }, at) => kept.hash === base[at]?.kept.hash);
      if (problems.length > 0)
        refused.push({
          file,
          why,
          problems: problems.filter(
            ({ code }, at) => problems.findIndex((each) => each.code === code) === at,
          ),
        });
      else if (!isSame) accepted.push({ proposal, requests });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push({ file, why, problems: [{ code: error.code, message: error.message }] });
    }
  }
  return { accepted, refused };
}

interface RacedProposal {
  readonly proposal: TextProposal;
  readonly gain: number;
}

/** Halves the field on ever more work cases, paired with the base, until one is left. */
async function race(
  desk: TuneDesk,
  {
    accepted,
    base,
    work,
    of,
  }: {
    readonly accepted: readonly {
      readonly proposal: TextProposal;
      readonly requests: readonly CaseRequest[];
    }[];
    readonly base: readonly CaseRequest[];
    readonly work: readonly TestCase[];
    readonly of: string;
  },
): Promise<RacedProposal> {
  let field = accepted.map((_, at) => at);
  const rounds = Math.max(1, Math.ceil(Math.log2(accepted.length)));
  const scores = new Map<number, readonly ScoredCase[]>();
  for (let round = 0; round < rounds; round += 1) {
    const [from, to] = [
      Math.floor((work.length * round) / rounds),
      Math.floor((work.length * (round + 1)) / rounds),
    ];
    const tests = work.slice(from, to);
    if (tests.length > 0) {
      const { against } = await runTune(desk, {
        ...{
          of,
          name: `race ${round} ${desk.bench.hash(JSON.stringify(field.map((at) => accepted[at]?.proposal)))}`,
        },
        names: ['base', ...field.map((at) => `candidate-${at}`)],
        cases: tests.map((test, at) =>
          caseOf(test, [
            base[from + at] as CaseRequest,
            ...field.map((each) => accepted[each]?.requests[from + at] as CaseRequest),
          ]),
        ),
      });
      for (const [at, each] of field.entries())
        scores.set(each, [...(scores.get(each) ?? []), ...against(at + 1)]);
    }
    field = betterHalf(field.map((at) => ({ id: String(at), cases: scores.get(at) ?? [] }))).map(Number);
  }
  const [best = 0] = field;
  const cases = scores.get(best) ?? [];
  const mean = (side: 'base' | 'candidate'): number => {
    const all = cases
      .flatMap((each) => each[side])
      .filter((score): score is number => typeof score === 'number');
    return all.reduce((sum, score) => sum + score, 0) / Math.max(1, all.length);
  };
  return { proposal: accepted[best]?.proposal as TextProposal, gain: mean('candidate') - mean('base') };
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
  return `plan: ${candidates} candidates, ${work} cases to search on, ${held} held to decide; at most ${work * takes + candidates + work * takes * (candidates + 1) + held * takes * 2} takes\nplan: the held part can see a difference of ${canSee.toFixed(3).replace(/^0/u, '')}\n`;
}

function outcomeText({ proposals, refused, searchGain, held, advice, reason, patch }: TuneOutcome): string {
  const lines = [`${proposals} proposals, ${refused.length} refused`];
  for (const { file, problems } of refused)
    for (const { code, message } of problems) lines.push(`refused: ${file}: ${code} ${message}`);
  if (searchGain !== null)
    lines.push(`gain on the cases that chose it: ${searchGain.toFixed(3)} (search gain, overstated)`);
  if (held !== null) {
    const { decisions, verdict, gain, interval } = held;
    lines.push(
      `held part: ${verdict}${gain === null ? '' : `, ${gain.toFixed(3)}`}${interval === null ? '' : ` [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`}; ${ordinal(decisions)} decision of this part`,
    );
  }
  if (advice !== null) lines.push(advice);
  if (patch === '') lines.push('Nothing better was found: nothing changes.');
  else lines.push(`why: ${reason}`, '', patch.trimEnd());
  return `${lines.join('\n')}\n`;
}

const ordinal = (count: number): string =>
  `${count}${['th', 'st', 'nd', 'rd'][count % 100 > 3 && count % 100 < 21 ? 0 : count % 10] ?? 'th'}`;
