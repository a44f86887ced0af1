import {
  betterHalf,
  checkProposal,
  proposerRequest,
  readProposal,
  type ScoredCase,
  type TextProposal,
} from '@cuebook/eval';
import { composeRequest, createTokenCounter, describeRefusal } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { flagValue } from '../../command.js';
import { Failure } from '../../failure.js';
import type { TestCase } from '../../prompt-test/case-file.js';
import type { CaseRequest } from '../variant.js';
import { caseOf, type TuneInput, wordsOf } from './compose.js';
import type { TuneSetting } from './file.js';
import type { RefusedProposal } from './outcome.js';
import { runTune, type TuneDesk } from './runs.js';

/** Asks for proposals: one request, as many answers as there are candidates. */
export async function propose(
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
): Promise<{ readonly proposals: readonly TextProposal[]; readonly models: readonly string[] }> {
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
  const { said, models } = await runTune(
    { ...desk, call: { ...desk.call, flags } },
    { of, name: 'propose', names: ['propose'], cases: [caseOf(test, [request])], takes: setting.candidates },
  );
  const read = said.flatMap(({ text }) => readProposal(text) ?? []);
  const proposals = read.filter(
    (each, at) => read.findIndex(({ file, text }) => file === each.file && text === each.text) === at,
  );
  return { proposals, models };
}

/** Proposals that keep what must be kept; the others are refused, never repaired, with every reason. */
export async function sift(
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

/** The best of a race, and what it gained on the cases that chose it. */
export interface RacedProposal {
  readonly proposal: TextProposal;
  readonly gain: number;
}

/** Halves the field on ever more work cases, paired with the base, until one is left. */
export async function race(
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
