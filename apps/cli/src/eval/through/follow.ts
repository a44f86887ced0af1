import { type AnsweredCall, answersTo, followedBlocks } from '@cuebook/eval';
import type { RecordedTake } from '@cuebook/host';
import { type BlockInput, composeRequest, describeRefusal } from '@cuebook/prompt';
import { Failure } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import type { PlannedCase } from '../design.js';
import type { JudgeDesk } from '../judge/judge-takes.js';
import { planOf } from '../plan.js';
import { type PlannedEval, planRun, runTakes } from '../run-takes.js';
import { type EvalAbout, takesOf } from '../started.js';
import type { CaseRequest } from '../variant.js';
import { chainsOf, isAsking, MOST_STEPS, THROUGH, throughStep } from './read.js';

/**
 * Follows the takes up to a look: what each calls is answered from the record, and it is asked again, as long as all of its calls
 * are on record. No tool is run. The answers of each step are a run of their own, so that a crash loses none.
 */
export async function followLook(
  desk: JudgeDesk,
  planned: PlannedEval,
  record: ReadonlyMap<string, readonly AnsweredCall[]>,
  look: number,
): Promise<void> {
  const { call, bench, journal, jobs } = desk;
  const plans = planned.start.takes.slice(0, planned.start.looks[look - 1]);
  const takes = await takesOf(journal.store, planned.run, plans);
  for (let step = 2; step <= MOST_STEPS; step += 1) {
    const chains = await chainsOf(journal.store, planned.run, { takes, look });
    const cases: PlannedCase[] = [];
    for (const { lane, request } of plans) {
      const chain = (chains.get(lane) ?? []).slice(0, step - 1);
      const told = planned.requests[request] as CaseRequest;
      const next =
        chain.length < step - 1 ? undefined : nextBlocks(told, chain, record.get(caseOf(lane)) ?? []);
      if (next !== undefined) cases.push({ id: lane, requests: [requestOf(bench, told, next)] });
    }
    if (cases.length === 0) return;
    const next = await planRun(
      call,
      { bench, journal },
      { cases, about: aboutOf(cases), looks: [cases.length] },
      { isFresh: false, jobs, step: { of: planned, name: throughStep(step, look), after: 0 } },
    );
    const plan = await planOf(call, bench, next);
    const { report } = await runTakes({
      ...{ call, bench, journal, planned: next },
      budget: { turns: cases.length * 2, tokens: Math.max(2_000_000, plan.tokens * 10) },
      read: async () => ({}),
    });
    if (report.status !== 'done')
      throw new Failure('E_STOPPED', 'The agents are not followed to their end: the same command goes on', {
        exit: 1,
      });
  }
}

const caseOf = (lane: string): string => /^[^/]+\/\d+\/(.+)$/su.exec(lane)?.[1] ?? '';

/** The request after all answers of a take; undefined: it is over, or the record does not go on as it does. */
function nextBlocks(
  { kept }: CaseRequest,
  chain: readonly (RecordedTake | undefined)[],
  record: readonly AnsweredCall[],
): readonly BlockInput[] | undefined {
  let blocks: readonly BlockInput[] = kept.blocks;
  const before: RecordedTake['outcome']['calls'][number][] = [];
  for (const take of chain) {
    if (take === undefined || !isAsking(take)) return undefined;
    const { text, calls } = take.outcome;
    const answers = answersTo(record, before, calls);
    if (answers === undefined) return undefined;
    blocks = followedBlocks(blocks, { text, calls }, answers);
    before.push(...calls);
  }
  return blocks;
}

function requestOf(
  { hash, redactor }: Bench,
  { kept }: CaseRequest,
  blocks: readonly BlockInput[],
): CaseRequest {
  const { tools, params } = kept;
  const composed = composeRequest({ blocks, tools, params, hash, redactor });
  if (!composed.ok) {
    const [first] = composed.error;
    const message = first === undefined ? 'Refused' : describeRefusal(first);
    throw new Failure(first?.code ?? 'E_COMPARE_DRIFT', message, { exit: 1 });
  }
  const request = composed.value;
  return { kept: { blocks, tools, params, hash: request.prompt.hash }, request, matched: [] };
}

const aboutOf = (cases: readonly PlannedCase[]): Omit<EvalAbout, 'earlier'> => ({
  ...{ what: 'through', seed: 0, takes: 1, margin: 0.05, primary: '', guards: [], metrics: {} },
  cases: cases.map(({ id }) => ({ id, cluster: id, target: id })),
  variants: [],
  names: [THROUGH],
  origins: [],
  diff: null,
  diffText: '',
});
