import { type JudgeFacts, pairsInBothOrders } from '@cuebook/eval';
import { Failure } from '../../failure.js';
import { judgeStep } from '../about.js';
import type { PlannedEval } from '../run-takes.js';
import { hashOf, requireJudge } from './file.js';
import { type JudgeDesk, judgeTakes, markableTakes, requireAnchors } from './judge-takes.js';

/** The judges of a run, each of which has told its anchors apart: nothing was spent on takes before. */
export async function openJudges(
  desk: JudgeDesk,
  { about: { judges = {} } }: Pick<PlannedEval, 'about'>,
): Promise<ReadonlyMap<string, JudgeFacts>> {
  const opened = new Map<string, JudgeFacts>();
  for (const [metric, { judge: name, judgeHash }] of Object.entries(judges)) {
    const judge = await requireJudge(desk.bench, name);
    const hash = hashOf(desk.call, desk.bench, judge);
    if (hash !== judgeHash) throw new Failure('E_JUDGE_FILE', `The judge ${name} has changed`, { exit: 1 });
    await requireAnchors(desk, judge, hash);
    opened.set(metric, judge);
  }
  return opened;
}

/** Has every judge score the takes up to a look. */
export async function judgeLook(
  desk: JudgeDesk,
  { run, suffix, about: { names } }: PlannedEval,
  judges: ReadonlyMap<string, JudgeFacts>,
  look: number,
): Promise<void> {
  if (judges.size === 0) return;
  const takes = await markableTakes(desk.journal.store, run, look);
  const [base = '', candidate = ''] = names;
  for (const [metric, judge] of judges) {
    const asked = judge.bothOrders ? pairsInBothOrders(takes, { base, candidate }) : takes;
    await judgeTakes(desk, judge, asked, { run, suffix, name: judgeStep(metric, look) });
  }
}
