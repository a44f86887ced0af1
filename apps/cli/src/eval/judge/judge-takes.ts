import { type JudgeFacts, judgeRequest, type MarkableTake, pairOf } from '@cuebook/eval';
import { findSources, type KeptRequest, readSources } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { composeRequest, describeRefusal, isBelow } from '@cuebook/prompt';
import type { Call } from '../../command.js';
import { Failure } from '../../failure.js';
import { count } from '../../output/style.js';
import type { Bench } from '../../project/bench.js';
import { sha256 } from '../../project/hash.js';
import type { Journal } from '../../record/journal.js';
import {
  answerersOf,
  type EvalAbout,
  type JudgeVerdicts,
  readStarted,
  readVerdicts,
  takesOf,
} from '../about.js';
import type { PreparedEval } from '../opened.js';
import { planOf } from '../plan.js';
import { planRun, runTakes } from '../run-takes.js';
import { followedTakes } from '../through/read.js';
import { judgeCall } from './file.js';

export interface JudgeDesk {
  readonly call: Call;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly jobs: number;
}

/** What is judged: a take, or an anchor. */
export type Judgeable = Pick<MarkableTake, 'take' | 'input' | 'answer'> & { readonly other?: string };

/** What a judge said, and who spoke for it. */
export interface JudgeSaid {
  readonly verdicts: JudgeVerdicts;
  readonly models: readonly string[];
}

/**
 * Has a judge say yes or no to takes, as a run of its own: each judgement is a turn on record. What it has said of the
 * same words before is not asked for again.
 */
export async function judgeTakes(
  { call, bench, journal, jobs }: JudgeDesk,
  judge: JudgeFacts,
  takes: readonly Judgeable[],
  of: { readonly run: string; readonly suffix: string; readonly name: string },
): Promise<JudgeSaid> {
  if (takes.length === 0) return { verdicts: new Map(), models: [] };
  const spoken = judgeCall(call, judge);
  const planned = await planRun(spoken, { bench, journal }, preparedOf(bench, judge, takes), {
    ...{ isFresh: false, jobs },
    step: { of: { run: of.run as RunId, suffix: of.suffix }, name: of.name, after: 0 },
  });
  const plan = await planOf(spoken, bench, planned);
  if (plan.toRun > 0 && !planned.isThere)
    call.io.err(
      `plan: judge ${judge.name}: ${count(plan.toRun, 'judgement')} to ask for, ${plan.onRecord} on record; ${count(plan.tokens, 'token')} of requests, ${plan.usd === null ? 'price unknown' : `at least $${plan.usd.toFixed(4)}`}\n`,
    );
  const { report } = await runTakes({
    ...{ call: spoken, bench, journal, planned },
    budget: { turns: takes.length * 2, tokens: Math.max(2_000_000, plan.tokens * 10) },
    read: async () => ({}),
  });
  if (report.status !== 'done')
    throw new Failure('E_STOPPED', `The judge ${judge.name} is not done: the same command goes on`, {
      exit: 1,
    });
  const started = await readStarted(journal.store, planned.run);
  const said = await takesOf(journal.store, planned.run, started?.takes ?? []);
  return { verdicts: await readVerdicts(journal.store, planned.run), models: answerersOf(said.values()) };
}

function preparedOf(bench: Bench, judge: JudgeFacts, takes: readonly Judgeable[]): PreparedEval {
  const { hash, redactor } = bench;
  const cases = takes.map(({ take, input, answer, other }) => {
    const asked = judgeRequest(judge, { input, answer, ...(other === undefined ? {} : { other }) });
    const composed = composeRequest({ ...asked, hash, redactor });
    if (!composed.ok) {
      const [first] = composed.error;
      throw new Failure(
        first?.code ?? 'E_JUDGE_FILE',
        first === undefined ? 'Refused' : `Judge ${judge.name}: ${describeRefusal(first)}`,
        { exit: 1 },
      );
    }
    const request = composed.value;
    return { id: take, requests: [{ kept: { ...asked, hash: request.prompt.hash }, request, matched: [] }] };
  });
  const about: Omit<EvalAbout, 'earlier'> = {
    ...{ what: 'judge', seed: 0, takes: 1, margin: 0.05, primary: judge.name, guards: [], metrics: {} },
    cases: cases.map(({ id }) => ({ id, cluster: id, target: `judge:${judge.name}` })),
    variants: [],
    names: ['judge'],
    origins: [],
    diff: null,
    diffText: '',
  };
  return { cases, about, looks: [cases.length] };
}

/** The takes of a run that have an answer, with what each case handed in. */
export async function markableTakes(
  store: Pick<Store, 'read' | 'vault' | 'projection'>,
  run: RunId,
  look?: number,
): Promise<readonly MarkableTake[]> {
  const started = await readStarted(store, run);
  const sources = await findSources(store, run);
  if (started === undefined || sources === undefined)
    throw new Failure('E_RUN_UNKNOWN', `${run} is no eval and no comparison`, { exit: 1 });
  const kept = await readSources(store, run, sources);
  if (!kept.ok) throw new Failure(kept.error.code, kept.error.message, { exit: 1 });
  const { requests } = kept.value.about as unknown as { readonly requests: readonly KeptRequest[] };
  const found = await followedTakes(store, run, started, look);
  return [...found.values()].flatMap(({ plan, found: take }): MarkableTake[] => {
    if (take === undefined || take.outcome.end.reason !== 'done') return [];
    const [, variant = '', of = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(plan.lane) ?? [];
    const { text, calls } = take.outcome;
    const asked = calls.map(({ name, input }) => `\n${name} ${JSON.stringify(input)}`).join('');
    return [
      {
        take: take.turn,
        case: of,
        variant,
        input: inputOf(requests[plan.request] as KeptRequest),
        answer: `${text}${asked}`,
      },
    ];
  });
}

/** What the case handed in: the words of those who may give no orders. */
const inputOf = ({ blocks }: KeptRequest): string =>
  blocks
    .flatMap(({ pieces }) => pieces.filter(({ trust }) => isBelow(trust, 'operator')).map(({ text }) => text))
    .join('\n');

/** Asks a judge about its own anchors, and answers who spoke for it. One that cannot tell them apart does not judge. */
export async function requireAnchors(
  desk: JudgeDesk,
  judge: JudgeFacts,
  hash: string,
): Promise<readonly string[]> {
  const named = (kind: 'good' | 'bad') =>
    judge.anchors[kind].map((answer, at) => ({ take: `${kind}-${at + 1}`, input: '', answer }));
  const [good, bad] = [named('good'), named('bad')];
  const anchors: readonly Judgeable[] = judge.bothOrders
    ? good.flatMap((one) => bad.flatMap((other) => [pairOf(one, other), pairOf(other, one)]))
    : [...good, ...bad];
  const key = sha256(JSON.stringify([hash, judge.anchors]));
  const { verdicts, models } = await judgeTakes(desk, judge, anchors, {
    run: key,
    suffix: '',
    name: 'anchors',
  });
  const wrong = anchors.filter(({ take }) => verdicts.get(take) !== Number(take.startsWith('good')));
  if (wrong.length > 0)
    throw new Failure(
      'E_JUDGE_ANCHORS',
      `The judge ${judge.name} says the wrong thing of ${wrong.map(({ take }) => take).join(', ')}: it does not judge`,
      { exit: 1 },
    );
  return models;
}
