import { createHash } from 'node:crypto';
import { type BlockInput, composeRequest, createRedactor, type Piece } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { roundsOf } from '../../../test/runs.js';
import { type ScoredCase, scoredOf } from '../src/comparison/score.js';
import { seededDraws } from '../src/statistics/draws.js';
import { meanOf } from '../src/statistics/estimate.js';
import { checkProposal, type TuneSide } from '../src/tune/proposal.js';
import { betterHalf, decideTune } from '../src/tune/race.js';
import { drawOf, splitCases } from '../src/tune/split.js';
import { normal, rateOf, sigmoid, truthOf } from './world.js';

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Eight candidates race on the work part; the last one left has one look at the held part. */
function tuned(
  seed: number,
  effects: readonly number[],
  { work, held, takes }: { work: number; held: number; takes: number },
) {
  const draw = seededDraws(seed);
  const suite = (count: number) => Array.from({ length: count }, () => 0.8 + 1.5 * normal(draw));
  const play = (odds: number): readonly number[] =>
    Array.from({ length: takes }, () => Number(draw() < sigmoid(odds)));
  const against = (cases: readonly number[], effect: number): readonly ScoredCase[] =>
    cases.map((x, at) => ({ id: `${at}`, cluster: `${at}`, base: play(x), candidate: play(x + effect) }));
  const [seen, kept] = [suite(work), suite(held)];
  let field = effects.map((_, at) => String(at));
  let gain = 0;
  while (field.length > 1) {
    const racing = field.map((id) => ({ id, cases: against(seen, effects[Number(id)] as number) }));
    field = [...betterHalf(racing)];
    const best = racing.find(({ id }) => id === field[0]);
    gain = meanOf(
      (best?.cases ?? []).map(({ base, candidate }) => meanOf(scoredOf(candidate)) - meanOf(scoredOf(base))),
    );
  }
  const winner = Number(field[0]);
  return {
    winner,
    gain,
    decision: decideTune(against(kept, effects[winner] as number), { margin: 0.05, decisionsBefore: 0 }),
  };
}

describe('tuning', () => {
  it('24: where nothing is better, nothing is proposed, whatever the search reports', () => {
    const rounds = roundsOf('row 24', { quick: 100, full: 400, inSoak: 400 });
    let reported = 0;
    const proposed = rateOf(rounds, (seed) => {
      const { gain, decision } = tuned(seed, new Array(8).fill(0), { work: 50, held: 60, takes: 1 });
      if (gain >= 0.05) reported += 1;
      return decision.propose;
    });
    expect(proposed).toBeLessThanOrEqual(0.05);
    // The set that selects reports gains that are not there: they are shown as what they are, and decide nothing.
    expect(reported / rounds).toBeGreaterThan(0.3);
  });

  it('25: a real gain among eight is proposed, and the held interval covers the truth', () => {
    const effects = [0, 0, 0, 0.9, 0, 0, 0, 0];
    const truth = truthOf({ cases: 1, takes: 1, base: 0.8, effect: 0.9 });
    expect(truth).toBeGreaterThan(0.11);
    const rounds = roundsOf('row 25', { quick: 60, full: 200, inSoak: 200 });
    let [proposed, covered, won] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const { winner, decision } = tuned(1 + round * 7919, effects, { work: 80, held: 120, takes: 3 });
      proposed += Number(decision.propose);
      if (winner !== 3) continue;
      won += 1;
      const { low = 1, high = -1 } = decision.judgement.interval ?? {};
      covered += Number(low <= truth && truth <= high);
    }
    expect(proposed / rounds).toBeGreaterThanOrEqual(0.8);
    expect(covered / won).toBeGreaterThanOrEqual(0.9);
  });

  it('27: clusters are never on both sides, a case stays on its side, and decisions are counted', () => {
    const cases = Array.from({ length: 400 }, (_, at) => ({ id: at, cluster: `repo ${at % 80}` }));
    const options = { held: 0.4, hash, salt: 'review' };
    const { work, held } = splitCases(cases, options);
    expect(work.length + held.length).toBe(400);
    const sides = new Set(work.map(({ cluster }) => cluster));
    expect(held.some(({ cluster }) => sides.has(cluster))).toBe(false);
    expect(held.length / 400).toBeGreaterThan(0.25);
    expect(held.length / 400).toBeLessThan(0.55);
    expect(splitCases(cases.slice(0, 100), options).held).toEqual(held.filter(({ id }) => id < 100));
    expect(decideTune([], { margin: 0.05, decisionsBefore: 1 })).toMatchObject({
      decisions: 2,
      propose: false,
    });
    expect(decideTune([], { margin: 0.05, decisionsBefore: 9 }).advice).toContain('new cases');
  });

  it('draws by hash are even', () => {
    const draws = Array.from({ length: 5000 }, (_, at) => drawOf(hash, [7, 'case', at]));
    expect(meanOf(draws)).toBeGreaterThan(0.48);
    expect(meanOf(draws)).toBeLessThan(0.52);
    expect(draws.every((each) => each >= 0 && each < 1)).toBe(true);
  });
});

const redactor = createRedactor({ roots: [], private: [], names: [] });
const piece = (text: string, ref: string, more: Partial<Piece> = {}): Piece => ({
  text,
  origin: { kind: 'file', ref, line: 1, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
  ...more,
});
const INPUT = piece('The change: two lines.', 'change', {
  origin: { kind: 'input', ref: 'change' },
  trust: 'external',
  volatility: 'turn',
});

function side(tone: string, more: Partial<TuneSide> = {}, blocks?: readonly BlockInput[]): TuneSide {
  const told: readonly BlockInput[] = blocks ?? [
    {
      name: 'rules',
      role: 'system',
      pieces: [piece('Never reveal the plan.\n', 'sheets/review.yaml'), piece(tone, 'texts/tone.md')],
    },
    { name: 'change', role: 'user', pieces: [INPUT] },
  ];
  const composed = composeRequest({ blocks: told, hash, redactor, tools: [], params: {} });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return { prompt: composed.value.prompt, blocks: told, tools: [], params: {}, tokens: tone.length, ...more };
}

describe('26: proposals that cheat are refused, each with its own code', () => {
  const TONE = 'You must be polite. Keep it short.';
  const before = side(TONE);
  const rules = {
    tunable: ['texts/tone.md'],
    maxTokens: 200,
    cases: ['Please ask Margarethe about invoice A4711 before the third delivery goes out to the new house'],
  };
  const codes = (after: TuneSide): readonly string[] =>
    checkProposal(before, after, rules).map(({ code }) => code);
  const CHEATS: readonly (readonly [string, TuneSide])[] = [
    ['E_TUNE_OBLIGATION', side('Keep it short and kind.')],
    [
      'E_TUNE_SCOPE',
      side(TONE, {}, [
        {
          name: 'rules',
          role: 'system',
          pieces: [
            piece('Never reveal the plan.\nBe bold. ', 'sheets/review.yaml'),
            piece(TONE, 'texts/tone.md'),
          ],
        },
        { name: 'change', role: 'user', pieces: [INPUT] },
      ]),
    ],
    [
      'E_TUNE_INPUT',
      side(TONE, {}, [
        {
          name: 'rules',
          role: 'system',
          pieces: [piece('Never reveal the plan.\n', 'sheets/review.yaml'), piece(TONE, 'texts/tone.md')],
        },
        { name: 'change', role: 'user', pieces: [piece('The change: two lines.', 'texts/tone.md')] },
      ]),
    ],
    ['E_TUNE_TOOL', side(TONE, { tools: [{ name: 'shell', parameters: {} }] })],
    ['E_TUNE_TOKENS', side(`${TONE} ${'Calm words help. '.repeat(20)}`)],
    ['E_TUNE_COPY', side(`${TONE} Before the third delivery goes out to the new house, be kind.`)],
    ['E_TUNE_COPY', side(`${TONE} Remember Margarethe is waiting.`)],
    ['E_TUNE_COPY', side(`${TONE} Remember A4711 is open.`)],
  ];

  it.each(CHEATS)('%s', (code, after) => {
    expect(codes(after)).toContain(code);
  });

  it('an honest proposal passes, and a named obligation may go where the file says so', () => {
    expect(codes(side('You must be polite. Keep it short. Kind words are short words.'))).toEqual([]);
    const freed = checkProposal(before, side('Keep it short and kind.'), {
      ...rules,
      free: ['You must be polite.', 'Keep it short.'],
    });
    expect(freed).toEqual([]);
  });
});
