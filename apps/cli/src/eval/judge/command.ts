import {
  answeredLine,
  type JudgeAgreement,
  type JudgeFacts,
  judgeAgreement,
  modelNames,
  validMarks,
} from '@cuebook/eval';
import type { RunId } from '@cuebook/journal';
import { type Call, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count, screenText } from '../../output/style.js';
import { openBench } from '../../project/bench.js';
import { sha256 } from '../../project/hash.js';
import { journalPlace, withOpened } from '../../record/journal.js';
import { DEFAULT_JOBS } from '../command.js';
import { wholeNumber } from '../numbers.js';
import { hashOf, loadMarks, marksFile, requireJudge, requireMarkable } from './file.js';
import { type Judgeable, type JudgeDesk, judgeTakes, markableTakes, requireAnchors } from './judge-takes.js';
import { markTakes } from './mark-takes.js';

/** `judge`: how a judge agrees with the marks of persons; with `--mark`, hands out takes to mark, blind. */
export async function runJudge(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const [name, run] = args;
  const count = wholeNumber(flags, 'mark', [1, 10_000]);
  if (name === undefined) throw usage('judge needs the name of a judge: judges/NAME.yaml');
  if (count !== undefined && run === undefined) throw usage('--mark takes the run whose takes are marked');
  const bench = await openBench(flags, io);
  const judge = await requireJudge(bench, name);
  if (count !== undefined) requireMarkable(judge);
  const judgeHash = hashOf(call, bench, judge);
  const jobs = wholeNumber(flags, 'jobs', [1, 99]) ?? DEFAULT_JOBS;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const desk: JudgeDesk = { call, bench, journal, jobs };
    if (count !== undefined)
      return markTakes(desk, {
        judge,
        judgeHash,
        count,
        takes: await markableTakes(journal.store, run as RunId),
      });
    const spoke = await requireAnchors(desk, judge, judgeHash);
    const { valid, void: others } = validMarks(await loadMarks(call, bench, name), {
      judge: name,
      judgeHash,
    });
    const takes = await takesToJudge(desk, [...new Set(valid.map(({ take }) => take))]);
    const { verdicts, models } = await judgeTakes(desk, judge, takes, {
      ...{ run: sha256(JSON.stringify([judgeHash, takes.map(({ take }) => take).sort()])), suffix: '' },
      name: 'agreement',
    });
    const told = judgeAgreement(
      valid,
      new Map(
        [...verdicts].flatMap(([take, score]) => (typeof score === 'number' ? [[take, score === 1]] : [])),
      ),
    );
    const by = modelNames([...spoke, ...models]);
    const answer = {
      judge: name,
      judgeHash,
      anchors: 'ok',
      marks: valid.length,
      void: others,
      models: by,
      ...told,
    };
    if (isOn(flags, 'json')) await printJson(io, answer);
    else await io.out(screenText(agreementText(judge, answer), io.terminal.out));
    // Marks that were given under other words say nothing of this judge.
    return valid.length === 0 && others > 0 ? 1 : 0;
  });
}

/** The marked takes that are still on record, with their words. */
async function takesToJudge(
  { journal }: JudgeDesk,
  wanted: readonly string[],
): Promise<readonly Judgeable[]> {
  const runs = new Set(wanted.map((take) => take.split('@')[0] as RunId));
  const found: Judgeable[] = [];
  for (const run of runs)
    for (const take of await markableTakes(journal.store, run).catch(() => []))
      if (wanted.includes(take.take)) found.push(take);
  return found;
}

interface ToldAgreement extends JudgeAgreement {
  readonly judgeHash: string;
  readonly marks: number;
  readonly void: number;
  readonly models: readonly string[];
}

function agreementText({ name, asks, anchors }: JudgeFacts, told: ToldAgreement): string {
  const { marks, void: others, agreement, unjudged, judgeHash } = told;
  const lines = [
    `${name}: ${asks}`,
    `words ${judgeHash.slice(0, 'sha256:'.length + 12)}, told ${count(anchors.good.length + anchors.bad.length, 'anchor')} apart`,
    `marks ${marks}${others === 0 ? '' : `, ${others} void: the words or the model of the judge have changed since`}`,
  ];
  if (agreement === null) lines.push('agreement unknown: it takes marks of both kinds');
  else {
    const rate = (value: number, { low, high }: { readonly low: number; readonly high: number }): string =>
      `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
    lines.push(
      `of what persons passed it passes ${rate(agreement.sensitivity, agreement.sensitivityInterval)}`,
      `of what persons failed it fails ${rate(agreement.specificity, agreement.specificityInterval)}`,
      `kappa ${agreement.kappa === null ? 'unknown' : agreement.kappa.toFixed(2)}, persons passed ${agreement.baseRate.toFixed(2)}`,
    );
  }
  lines.push(...answeredLine(told.models));
  if (unjudged > 0) lines.push(`${unjudged} marked takes have no verdict`);
  if (marks < FEWEST)
    lines.push(`fewer than ${count(FEWEST, 'mark')} correct nothing: go on in ${marksFile(name)}`);
  return `${lines.join('\n')}\n`;
}

const FEWEST = 50;
