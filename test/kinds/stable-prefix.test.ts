import { keptPrefix, type Prompt, stablePrefix } from '@cuebook/prompt';
import { expect } from 'vitest';
import { itInTurn as it } from '../runs.js';
import { RECORDED_RUNS, TURNS } from './recorded-runs.js';

/** Bytes that two texts begin with, counted one by one. */
function commonBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** The block that holds a byte of the one-string projection; the separator belongs to the block behind it. */
function blockAt({ blocks }: Prompt, byte: number): string | undefined {
  let end = 0;
  for (const { name, text } of blocks) {
    if (text === '') continue;
    end += Buffer.byteLength(text);
    if (byte < end) return name;
    end += 2;
  }
  return undefined;
}

/** What of a prompt the next one repeats: all of it, what its labels say, something between, or less than they say. */
type Followed = 'whole' | 'labelled' | 'between' | 'longer';

function followed(real: number, labelled: number, whole: number): Followed {
  if (labelled > real) return 'longer';
  if (real === whole) return 'whole';
  return real === labelled ? 'labelled' : 'between';
}

const personaOf = ({ blocks }: Prompt): string | undefined =>
  blocks.find(({ name }) => name === 'persona')?.text;

/**
 * Kinds of which nobody can know before a turn is answered how much of it the next one repeats. A prediction is made of
 * the turn before, by `keptPrefix`, from the second turn on; by the labels of a first turn alone it must not be longer
 * than either of two that may follow, and those differ:
 * - a workflow's next turn repeats the whole prompt where the model calls a tool (34 of 41 here), and what stands in
 *   front of the directive where it does not or the step moves (6; the last one goes to another agent): 79% at most;
 * - a resident's next turn repeats the whole prompt where the same scenario follows on the same day (27 of 44), and the
 *   base prompt where another does (17): 56% at most.
 * So each turn is followed by one of exactly these two, and the shorter is what the labels say.
 */
const UNKNOWN_BEFORE: ReadonlySet<string> = new Set(['workflow', 'resident']);

it.each(Object.keys(RECORDED_RUNS))(
  'in forty turns of a %s the kept prefix is told to the byte, and so is what ended it',
  async (kind) => {
    const { turns, spanBytes } = await (RECORDED_RUNS[kind] as (typeof RECORDED_RUNS)[string])();
    expect(turns.length).toBeGreaterThanOrEqual(TURNS);
    const sums = { real: 0, kept: 0, labelled: 0, sent: 0, pairs: 0, right: 0, longer: 0 };
    const byLabels: Record<Followed, number> = { whole: 0, labelled: 0, between: 0, longer: 0 };
    const lanes = new Map<string, Prompt>();
    for (const { lane, request } of turns) {
      const after = request.prompt;
      const before = lanes.get(lane);
      lanes.set(lane, after);
      sums.sent += Buffer.byteLength(after.text) + Buffer.byteLength(JSON.stringify(request.tools));
      if (before === undefined) continue;
      const real = commonBytes(before.text, after.text);
      const { bytes, brokenBy } = keptPrefix(before, after);
      sums.pairs += 1;
      sums.real += real;
      sums.kept += bytes;
      const labelled = stablePrefix(before).stablePrefixBytes;
      sums.labelled += Math.min(real, labelled);
      if (bytes > real) sums.longer += 1;
      // Another agent speaks: its persona and its policy stand in front of all that was said.
      const isOther = personaOf(before) !== personaOf(after);
      if (!isOther) byLabels[followed(real, labelled, Buffer.byteLength(before.text))] += 1;
      const isWhole = real === Buffer.byteLength(before.text);
      const truth = isWhole ? [undefined] : [blockAt(before, real), blockAt(after, real)];
      if (truth.includes(brokenBy?.block)) sums.right += 1;
    }
    console.log(
      `${kind}: ${turns.length} turns, kept ${sums.kept} of ${sums.real} bytes, by labels alone ${((100 * sums.labelled) / sums.real).toFixed(1)}% (${JSON.stringify(byLabels)}), ended by the named block in ${sums.right} of ${sums.pairs}, span maps ${((100 * spanBytes) / sums.sent).toFixed(2)}% of what was sent`,
    );
    expect([sums.longer, byLabels.longer]).toEqual([0, 0]);
    if (UNKNOWN_BEFORE.has(kind)) expect(byLabels.between).toBe(0);
    else expect(sums.labelled).toBeGreaterThanOrEqual(0.95 * sums.real);
    expect(sums.kept).toBeGreaterThanOrEqual(0.95 * sums.real);
    expect(sums.right).toBeGreaterThanOrEqual(0.95 * sums.pairs);
    expect(spanBytes).toBeLessThanOrEqual(sums.sent / 10);
  },
);
