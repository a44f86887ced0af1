import { answeredLine } from '@cuebook/eval';
import { count } from '../../output/style.js';

/** A proposal that breaks a rule, with every reason. */
export interface RefusedProposal {
  readonly file: string;
  readonly why: string;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** What came of a tuning. */
export interface TuneOutcome {
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
  /** Who answered, those that proposed among them. */
  readonly models: readonly string[];
  readonly patch: string;
}

/** No proposal, no patch. */
export const NOTHING: TuneOutcome = {
  tune: 1,
  proposals: 0,
  refused: [],
  searchGain: null,
  held: null,
  advice: null,
  reason: null,
  models: [],
  patch: '',
};

/** An outcome as a terminal shows it. */
export function outcomeText({
  proposals,
  refused,
  searchGain,
  held,
  advice,
  reason,
  models,
  patch,
}: TuneOutcome): string {
  const lines = [`${count(proposals, 'proposal')}, ${refused.length} refused`];
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
  lines.push(...answeredLine(models));
  if (patch === '') lines.push('Nothing better was found: nothing changes.');
  else lines.push(`why: ${reason}`, '', patch.trimEnd());
  return `${lines.join('\n')}\n`;
}

const ordinal = (count: number): string =>
  `${count}${['th', 'st', 'nd', 'rd'][count % 100 > 3 && count % 100 < 21 ? 0 : count % 10] ?? 'th'}`;
