import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { PACK } from '../../test/facts.js';
import { type ContextPack, fitContextPack } from './context-pack.js';

describe('a context pack', () => {
  const count = (text: string) => Math.ceil(text.length / 4);
  const somePack: fc.Arbitrary<ContextPack> = fc.record({
    packId: fc.constant('p1'),
    by: fc.constantFrom('author', 'agent'),
    goal: fc.string(),
    definitionOfDone: fc.array(fc.string(), { maxLength: 4 }),
    constraints: fc.array(fc.string(), { maxLength: 4 }),
    docRefs: fc.array(fc.record({ path: fc.string(), excerpt: fc.string({ maxLength: 400 }) }), {
      maxLength: 5,
    }),
    relevantFiles: fc.array(fc.record({ path: fc.string(), summary: fc.string({ maxLength: 400 }) }), {
      maxLength: 5,
    }),
    repoFacts: fc.array(fc.string(), { maxLength: 5 }),
    inputs: fc.array(fc.string(), { maxLength: 3 }),
    artifacts: fc.array(fc.record({ id: fc.string(), kind: fc.string() }), { maxLength: 3 }),
  });
  it('stays within its bound, and what had no room is counted', () => {
    fc.assert(
      fc.property(somePack, fc.integer({ min: 0, max: 800 }), (pack, maxTokens) => {
        const fitted = fitContextPack(pack, { maxTokens, count });
        expect(fitted.tokens).toBeLessThanOrEqual(maxTokens);
        const again = fitContextPack(fitted.pack, { maxTokens, count });
        if (fitted.leftOut === 0) expect(again.pack).toEqual(pack);
        else expect(JSON.stringify(fitted.pack).length).toBeLessThan(JSON.stringify(pack).length);
      }),
      runs(200, 20_000),
    );
  });
  it('keeps paths before excerpts', () => {
    const pack = {
      ...PACK,
      docRefs: [{ path: 'docs/a.md', excerpt: 'x'.repeat(400) }, { path: 'docs/b.md' }],
    };
    const { pack: fitted } = fitContextPack(pack, { maxTokens: 60, count });
    expect(fitted.docRefs).toEqual([{ path: 'docs/a.md' }, { path: 'docs/b.md' }]);
  });
});
