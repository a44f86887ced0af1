import { wilsonInterval } from './counts.js';
import { clusteredMean, type Estimate, type Interval, meanOf, varianceOf } from './estimate.js';
import { normalQuantile } from './normal.js';

/** How often a judge and a person said what of the same takes. */
export interface AgreementCounts {
  /** Person yes and judge yes, person yes and judge no, person no and judge yes, both no. */
  readonly bothYes: number;
  readonly missed: number;
  readonly invented: number;
  readonly bothNo: number;
}

export interface Agreement {
  readonly count: number;
  /** The share that the person passed: kappa means nothing without it. */
  readonly baseRate: number;
  /** Of what the person passed, the share that the judge passed. */
  readonly sensitivity: number;
  readonly sensitivityInterval: Interval;
  /** Of what the person failed, the share that the judge failed. */
  readonly specificity: number;
  readonly specificityInterval: Interval;
  /** Cohen's: agreement beyond chance. Null where chance explains everything. */
  readonly kappa: number | null;
}

/** How well a judge agrees with a person. Undefined without a mark of each kind. */
export function agreementOf({ bothYes, missed, invented, bothNo }: AgreementCounts): Agreement | undefined {
  const [yes, no] = [bothYes + missed, invented + bothNo];
  const count = yes + no;
  if (yes === 0 || no === 0) return undefined;
  const seen = (bothYes + bothNo) / count;
  const chance = (yes * (bothYes + invented) + no * (missed + bothNo)) / count / count;
  return {
    count,
    baseRate: yes / count,
    sensitivity: bothYes / yes,
    sensitivityInterval: wilsonInterval(bothYes, yes),
    specificity: bothNo / no,
    specificityInterval: wilsonInterval(bothNo, no),
    kappa: chance >= 1 ? null : (seen - chance) / (1 - chance),
  };
}

/**
 * The rate behind the rate that a judge tells, for marks that were chosen by class (Rogan and Gladen, with the interval of
 * Lee and others). Undefined for a judge that is no better than chance.
 */
export function correctedRate(
  judged: { readonly passed: number; readonly count: number },
  { bothYes, missed, invented, bothNo }: AgreementCounts,
  alpha = 0.05,
): { readonly rate: number; readonly interval: Interval } | undefined {
  const z = normalQuantile(1 - alpha / 2);
  const size = judged.count + z * z;
  const p = (judged.passed + (z * z) / 2) / size;
  const [yes, no] = [bothYes + missed + 2, invented + bothNo + 2];
  const [sensitivity, specificity] = [(bothYes + 1) / yes, (bothNo + 1) / no];
  const skill = sensitivity + specificity - 1;
  if (!(skill > 0)) return undefined;
  const rate = (p + specificity - 1) / skill;
  const ofNo = (specificity * (1 - specificity)) / no;
  const ofYes = (sensitivity * (1 - sensitivity)) / yes;
  const shift = 2 * z * z * (rate * ofYes - (1 - rate) * ofNo);
  const error = Math.sqrt((p * (1 - p)) / size + (1 - rate) ** 2 * ofNo + rate * rate * ofYes) / skill;
  const clip = (value: number): number => Math.min(1, Math.max(0, value));
  return {
    rate: clip(rate),
    interval: { low: clip(rate + shift - z * error), high: clip(rate + shift + z * error) },
  };
}

/** One case that a judge has scored; `mark` where a person has, too. Scores or differences of scores. */
export interface JudgedValue {
  readonly judged: number;
  readonly mark?: number;
  readonly cluster: string;
}

/**
 * The mean that persons would give, from many scores of a judge and marks of a random part of the cases: prediction-powered
 * inference with the power that serves best (PPI++). A judge that tells nothing is left out by itself, so this is never
 * much worse than the marks alone. Undefined with fewer than two marked clusters.
 */
export function markedMean(
  values: readonly JudgedValue[],
): (Estimate & { readonly power: number }) | undefined {
  const marked = values.filter((each): each is Required<JudgedValue> => each.mark !== undefined);
  const others = values.filter(({ mark }) => mark === undefined);
  if (marked.length < 2) return undefined;
  const power = others.length < 2 ? 0 : bestPower(marked, others.length);
  const rest = clusteredMean(
    marked.map(({ mark, judged }) => mark - power * judged),
    marked.map(({ cluster }) => cluster),
  );
  if (rest === undefined) return undefined;
  const told =
    power === 0
      ? undefined
      : clusteredMean(
          others.map(({ judged }) => judged),
          others.map(({ cluster }) => cluster),
        );
  return {
    mean: power * (told?.mean ?? 0) + rest.mean,
    error: Math.hypot(power * (told?.error ?? 0), rest.error),
    degrees: rest.degrees,
    count: values.length,
    clusters: rest.clusters,
    power,
  };
}

function bestPower(marked: readonly Required<JudgedValue>[], others: number): number {
  const [marks, judged] = [marked.map(({ mark }) => mark), marked.map(({ judged: value }) => value)];
  const spread = varianceOf(judged);
  if (!(spread > 0)) return 0;
  const [mean, middle] = [meanOf(marks), meanOf(judged)];
  let together = 0;
  for (const { mark, judged: value } of marked) together += (mark - mean) * (value - middle);
  const covariance = together / (marked.length - 1);
  return Math.min(1, Math.max(0, covariance / ((1 + marked.length / others) * spread)));
}
