import { type JudgeFacts, judgeHash, type Mark, readMarks } from '@cuebook/eval';
import { piecesText } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { type Call, flagValue } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import type { EvalAbout } from '../about.js';

const schema = z.strictObject({
  asks: z.string('a question is needed').min(1).max(4000),
  anchors: z.strictObject({
    good: z.array(z.string().min(1)).min(1, 'a good answer is needed'),
    bad: z.array(z.string().min(1)).min(1, 'a bad answer is needed'),
  }),
  'both-orders': z.boolean().optional(),
  provider: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
});

/** The code of everything that is wrong with the file of a judge. */
const JUDGE_CODE = 'E_JUDGE_FILE';

/** Reads `judges/NAME.yaml`. */
export async function requireJudge({ files }: Bench, name: string): Promise<JudgeFacts> {
  const file = `judges/${name}.yaml`;
  const text = /^[a-z][a-z0-9-]{0,39}$/.test(name) ? await files.readText(file) : undefined;
  if (text?.ok !== true) throw new Failure(JUDGE_CODE, `There is no judge ${name}: ${file} cannot be read`);
  const yaml = readYaml(file, text.value, JUDGE_CODE);
  if (!yaml.ok) throw diagnosed(yaml.diagnostics);
  const shaped = readShape(yaml.value, schema, JUDGE_CODE);
  if (!shaped.ok) throw diagnosed(shaped.diagnostics);
  const { anchors, provider, model } = shaped.value;
  const words = yaml.value.pieces(['asks'], { trust: 'author', secrecy: 'public', volatility: 'build' });
  return {
    ...{ name, words, anchors, asks: piecesText(words) },
    ...(shaped.value['both-orders'] === true ? { bothOrders: true as const } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Marks answer a question about one answer: a judge of pairs asks none. */
export function requireMarkable({ name, bothOrders }: JudgeFacts): void {
  if (bothOrders)
    throw usage(`The judge ${name} says which of two answers is better: single answers are not marked by it`);
}

/** The call with the voice of a judge: who its file names; a rehearsal speaks for everybody. */
export function judgeCall(call: Call, { provider, model }: JudgeFacts): Call {
  const isScripted = flagValue(call.flags, 'script') !== undefined;
  return {
    ...call,
    flags: {
      ...call.flags,
      ...(provider === undefined || isScripted ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    },
  };
}

/** The hash of a judge as a call would have it speak. */
export const hashOf = ({ flags }: Call, { hash }: Bench, judge: JudgeFacts): string =>
  judgeHash(judge, {
    provider: flagValue(flags, 'provider') ?? '',
    model: flagValue(flags, 'model') ?? '',
    hash,
  });

/** By metric, the judges that a file of cases names. */
export async function judgesOf(
  call: Call,
  bench: Bench,
  metrics: readonly (readonly [string, object])[],
): Promise<NonNullable<EvalAbout['judges']>> {
  const judges: Record<string, NonNullable<EvalAbout['judges']>[string]> = {};
  for (const [name, of] of metrics) {
    if (!('judge' in of)) continue;
    const judge = await requireJudge(bench, String(of.judge));
    judges[name] = {
      ...{ judge: judge.name, judgeHash: hashOf(call, bench, judge) },
      ...(judge.bothOrders ? { bothOrders: true as const } : {}),
    };
  }
  return judges;
}

/** The file of a judge's marks, from the project's folder. */
export const marksFile = (judge: string): string => `marks/${judge}.jsonl`;

/** The marks that are written down for judges; a line that is none is told, and is none. */
export async function loadMarks({ io }: Call, { files }: Bench, judge: string): Promise<readonly Mark[]> {
  const text = await files.readText(marksFile(judge));
  if (!text.ok) return [];
  const { marks, bad } = readMarks(text.value);
  if (bad.length > 0) io.err(`${marksFile(judge)}: no mark in line ${bad.slice(0, 5).join(', ')}\n`);
  return marks;
}
