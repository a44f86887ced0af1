import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { comparisonDocument } from '../src/comparison/document.js';
import { answeredLine, answererOf, modelNames } from '../src/comparison/models.js';
import { comparisonMarkdown, comparisonText } from '../src/comparison/view.js';
import { drawWorld } from './world.js';

const names = fc.array(fc.constantFrom('m-1', 'm-2', 'm-3', undefined), { maxLength: 6 }).map(modelNames);
const asks = fc.constantFrom(undefined, ['m-1'], ['m-2']);
const cases = drawWorld(3, { cases: 40, takes: 3, base: 0, effect: 3 });

it('a comparison is open when a model changed midway, or another one answered under each variant that nobody chose', () => {
  fc.assert(
    fc.property(names, names, asks, asks, (base, candidate, was, is) => {
      const variant = (of: readonly string[] | undefined) => ({
        ...{ target: 'sheet:a', edits: [], hash: 'sha256:0', tokens: 1 },
        ...(of === undefined ? {} : { asks: of }),
      });
      const document = comparisonDocument({
        ...{ id: 'run_a', seed: 1, diff: null, takes: 3, turns: {}, models: { base, candidate } },
        ...{ base: variant(was), candidate: variant(is) },
        gate: { margin: 0.05, look: { look: 1, planned: 1 } },
        metrics: [{ name: 'finds', role: 'primary', cases }],
      });
      const isMixed = base.length > 1 || candidate.length > 1;
      const isOther = base.length === 1 && candidate.length === 1 && base[0] !== candidate[0];
      expect(document.verdict).toBe(isMixed || (isOther && was === is) ? 'open' : 'better');
      // Whoever answered is told, in every view.
      expect(document.models).toEqual({ base, candidate });
      for (const name of [...base, ...candidate]) {
        expect(comparisonText(document)).toContain(name);
        expect(comparisonMarkdown(document, '')).toContain(name);
      }
    }),
    runs(300, 3_000),
  );
});

it.each([
  [{}, undefined],
  [{ model: 'm-1' }, 'm-1'],
  [{ rehearsal: true }, 'a script (rehearsal)'],
  [{ rehearsal: true, model: 'm-1' }, 'm-1 (rehearsal)'],
] as const)('%j was answered by %s', (answer, name) => {
  expect(answererOf(answer)).toBe(name);
  expect(answeredLine(modelNames([name]))).toEqual(name === undefined ? [] : [`answered by ${name}`]);
});
