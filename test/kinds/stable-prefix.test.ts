import { keptPrefix, type Prompt, stablePrefix } from '@cuebook/prompt';
import { expect, it } from 'vitest';
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

it.each(Object.keys(RECORDED_RUNS))(
  'in forty turns of a %s the kept prefix is told to the byte, and so is what ended it',
  async (kind) => {
    const { turns, spanBytes } = await (RECORDED_RUNS[kind] as (typeof RECORDED_RUNS)[string])();
    expect(turns.length).toBeGreaterThanOrEqual(TURNS);
    const sums = { real: 0, kept: 0, labelled: 0, sent: 0, pairs: 0, right: 0, longer: 0 };
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
      sums.labelled += Math.min(real, stablePrefix(before).stablePrefixBytes);
      if (bytes > real) sums.longer += 1;
      const isWhole = real === Buffer.byteLength(before.text);
      const truth = isWhole ? [undefined] : [blockAt(before, real), blockAt(after, real)];
      if (truth.includes(brokenBy?.block)) sums.right += 1;
    }
    console.log(
      `${kind}: ${turns.length} turns, kept ${sums.kept} of ${sums.real} bytes, by labels alone ${((100 * sums.labelled) / sums.real).toFixed(1)}%, ended by the named block in ${sums.right} of ${sums.pairs}, span maps ${((100 * spanBytes) / sums.sent).toFixed(2)}% of what was sent`,
    );
    expect(sums.longer).toBe(0);
    expect(sums.kept).toBeGreaterThanOrEqual(0.95 * sums.real);
    expect(sums.right).toBeGreaterThanOrEqual(0.95 * sums.pairs);
    expect(spanBytes).toBeLessThanOrEqual(sums.sent / 10);
  },
);
