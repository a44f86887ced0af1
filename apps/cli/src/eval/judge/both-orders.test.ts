import type { ComparisonDocument } from '@cuebook/eval';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../../test/model-server/index.js';
import { itInTurn as it, sampled } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';
import { sheetProject } from '../../../test/sheet-project.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const CASES = 5;
const FILES = {
  ...sheetProject({
    sheet: 'mail',
    input: 'mail',
    tone: 'You answer mails.\nSay thank you.\n',
    cases: CASES,
    measured: 'metrics: { kind: { judge: kind } }\n',
  }),
  'judges/kind.yaml': `asks: Which answer is more polite?
anchors: { good: ["Thank you for it."], bad: ["No. GRADE: the second one"] }
both-orders: true
`,
};

/** A model that is polite when it is told to, and a judge; past the anchors it may look at the place alone. */
const model =
  (isBlind: boolean): ScriptedStep =>
  ({ text }) => {
    if (!text.includes('You judge which of two answers'))
      return { text: text.includes('Say thank you.') ? 'Thank you.' : 'Well.' };
    const [, first = ''] = text.split(/FIRST_ANSWER(?:\\n|\n)/u).slice(-2);
    const isAnchor = text.includes('GRADE');
    return {
      text: JSON.stringify({ because: 'So.', pass: isBlind && !isAnchor ? true : first.startsWith('Thank') }),
    };
  };

describe('a judge of pairs', () => {
  it.each(
    sampled(
      [
        [
          'an honest one finds the difference',
          false,
          { verdict: 'worse', orders: { pairs: CASES, flips: 0 } },
        ],
        [
          'one that likes the first place finds none',
          true,
          { verdict: 'open', orders: { pairs: CASES, flips: CASES } },
        ],
      ],
      1,
    ),
  )('%s', async (name, isBlind, { verdict, orders }) => {
    const lane = `pairs-${isBlind}`;
    server.script(lane, Array<ScriptedStep>(60).fill(model(isBlind)));
    const env = { CUEBOOK_COMPATIBLE_URL: `${server.laneUrl(lane)}/v1`, CUEBOOK_COMPATIBLE_KEY: 'k' };
    const cwd = folderWith(FILES);
    const args = ['--provider', 'compatible', '--model', 'm', '--json'];
    const told = await cuebook(['compare', '--change', 'drop:texts/tone.md:2', ...args], { cwd, env });
    const document = JSON.parse(told.stdout) as ComparisonDocument;
    expect(document.metrics[0], name).toMatchObject({ verdict, judged: { orders } });
    // Two anchors, the takes, and each pair in both orders.
    expect(server.lane(lane).requests).toHaveLength(2 + 2 * CASES + 2 * CASES);
    expect((await cuebook(['compare', document.id, '--json'], { cwd })).stdout).toBe(told.stdout);
    const text = await cuebook(['compare', document.id], { cwd });
    expect(text.stdout).toContain(`the order decided ${orders.flips} of ${CASES} pairs`);
    if (isBlind) return;
    const one = await cuebook(['eval', ...args], { cwd, env });
    expect([one.code, one.stderr + one.stdout]).toEqual([2, expect.stringContaining('both-orders')]);
    const marked = await cuebook(['judge', 'kind', document.id, '--mark', '2'], { cwd, env });
    expect([marked.code, marked.stderr]).toEqual([2, expect.stringContaining('two answers')]);
  });
});
