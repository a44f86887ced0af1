import { createHash } from 'node:crypto';
import { composeRequest, createRedactor, type GatedRequest, type Piece } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../../test/runs.js';
import { readScript } from '../script.js';
import { drawOf } from './draw.js';
import { chanceOf, playModel } from './play.js';
import type { AnswerLane, OddsModel } from './schema.js';

const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const redactor = createRedactor({ roots: [], private: [], names: [] });
const piece = (text: string, more: Partial<Piece> = {}): Piece => ({
  text,
  origin: { kind: 'file', ref: 'texts/tone.md', line: 1, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
  ...more,
});
function request(rules: string, input = 'a mail'): GatedRequest {
  const composed = composeRequest({
    blocks: [
      { name: 'rules', role: 'system', pieces: [piece(rules)] },
      {
        name: 'mail',
        role: 'user',
        pieces: [piece(input, { trust: 'external', origin: { kind: 'input', ref: 'mail' } })],
      },
    ],
    hash,
    redactor,
  });
  if (!composed.ok) throw new Error('refused');
  return composed.value;
}
const lane = (odds: object): AnswerLane => {
  const read = readScript(
    JSON.stringify({
      lanes: { '*': { odds: { seed: 7, base: 0, answers: { good: 'good', bad: 'bad' }, ...odds } } },
    }),
    's.json',
  );
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value.models?.['*'] as AnswerLane;
};
const model = (odds: object): OddsModel => (lane(odds) as { odds: OddsModel }).odds;
const key = (at: number) => ({ case: `c${at % 40}/${at}`, take: 1 });

describe('a lane with odds', () => {
  it('draws evenly', () => {
    const draws = Array.from({ length: 4000 }, (_, at) => drawOf([7, 'case', at]));
    const mean = draws.reduce((sum, each) => sum + each, 0) / draws.length;
    const spread = draws.reduce((sum, each) => sum + (each - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.015);
    expect(Math.abs(spread * 12 - 1)).toBeLessThan(0.06);
  });

  itInTurn('answers as often well as its truth says, and the same each time', () => {
    const lanes = lane({ base: 0.4, cases: 1.5, clusters: 0.8 });
    const asked = request('Be brief.');
    const answers = Array.from({ length: 2000 }, (_, at) => playModel('*', lanes, asked, key(at)).text);
    const truth = Array.from({ length: 2000 }, (_, at) =>
      chanceOf(model({ base: 0.4, cases: 1.5, clusters: 0.8 }), asked, key(at)),
    );
    const rate = answers.filter((text) => text === 'good').length / 2000;
    expect(Math.abs(rate - truth.reduce((sum, each) => sum + each, 0) / 2000)).toBeLessThan(0.035);
    expect(Array.from({ length: 2000 }, (_, at) => playModel('*', lanes, asked, key(at)).text)).toEqual(
      answers,
    );
  });

  it.each([
    [{ has: 'Name the line', adds: 2 }, 'Name the line.', 'a mail', 2],
    [{ has: 'Name the line', adds: 2 }, 'Be brief.', 'a mail', 0],
    [{ any: ['Be brief.', 'Keep it short.'], adds: 1 }, 'Be brief. Keep it short.', 'a mail', 1],
    [{ all: ['Think first', 'then answer'], adds: 1 }, 'Think first.', 'a mail', 0],
    [{ all: ['Think first', 'then answer'], adds: 1 }, 'Think first, then answer.', 'a mail', 1],
    [{ origin: 'file texts/tone.md', adds: 3 }, 'x', 'a mail', 3],
    [{ origin: 'file texts/other.md', adds: 3 }, 'x', 'a mail', 0],
    [{ has: 'Ask first', adds: 2, when: { input: 'delete' } }, 'Ask first.', 'delete it', 2],
    [{ has: 'Ask first', adds: 2, when: { input: 'delete' } }, 'Ask first. delete', 'keep it', 0],
  ])('an effect counts where its words are: %j', (effect, rules, input, adds) => {
    const chance = chanceOf(model({ effects: [effect] }), request(rules, input), key(1));
    expect(Math.log(chance / (1 - chance))).toBeCloseTo(adds, 9);
  });

  it('variants draw apart, or together where they are coupled', () => {
    const flips = (coupled: boolean): number => {
      const of = lane({ coupled, cases: 1 });
      return Array.from({ length: 200 }, (_, at) =>
        Number(
          playModel('*', of, request('One.'), key(at)).text !==
            playModel('*', of, request('Two.'), key(at)).text,
        ),
      ).reduce((sum, each) => sum + each, 0);
    };
    expect(flips(true)).toBe(0);
    expect(flips(false)).toBeGreaterThan(40);
  });

  it('fails as often as it should, where it should', () => {
    const of = lane({ errors: { rate: 0.3, status: 529, has: 'slow' } });
    const failed = (rules: string): number =>
      Array.from({ length: 300 }, (_, at) =>
        Number(playModel('*', of, request(rules), key(at)).error?.status === 529),
      ).reduce((sum, each) => sum + each, 0);
    expect(failed('fast')).toBe(0);
    expect(Math.abs(failed('slow') / 300 - 0.3)).toBeLessThan(0.09);
  });

  it('a judge errs as often as it says', () => {
    const read = readScript(
      JSON.stringify({
        lanes: { judge: { judge: { truth: '^src/', sensitivity: 0.9, specificity: 0.8, garbled: 0.05 } } },
      }),
      's.json',
    );
    if (!read.ok) throw new Error('unread');
    const of = read.value.models?.judge as AnswerLane;
    const rate = (answer: string): { pass: number; garbled: number } => {
      const said = Array.from(
        { length: 400 },
        (_, at) => playModel('judge', of, request(`Judge ${at}.`, answer)).text ?? '',
      );
      return {
        pass: said.filter((text) => text.includes('"pass":true')).length / 400,
        garbled: said.filter((text) => !text.startsWith('{')).length / 400,
      };
    };
    expect(Math.abs(rate('src/a.ts').pass - 0.9 * 0.95)).toBeLessThan(0.06);
    expect(Math.abs(rate('fine').pass - 0.2 * 0.95)).toBeLessThan(0.06);
    expect(rate('fine').garbled).toBeGreaterThan(0.02);
  });

  it.each([
    [{ odds: { seed: 1, base: 0 } }, 'answers'],
    [
      { odds: { seed: 1, base: 0, answers: { good: 'a', bad: 'b' }, effects: [{ adds: 1 }] } },
      'exactly one of',
    ],
    [{ judge: { truth: '(', sensitivity: 1, specificity: 1 } }, ''],
    [{ oods: {} }, ''],
    ['text', ''],
  ])('what is no lane is refused: %j', (given, words) => {
    const read = readScript(JSON.stringify({ lanes: { '*': given } }), 's.json');
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).toContain(words);
  });
});
