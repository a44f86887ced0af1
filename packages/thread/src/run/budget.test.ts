import type { Catalog } from '@cuebook/define';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { desk, ECHO } from '../../test/project.js';
import { catalogOf, START, say, simulate, step } from '../../test/simulated.js';
import { threadStatus } from './status.js';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOf(desk("tools: ['echo'],", { 'tools/echo.ts': ECHO }));
});

const FAILED = { reason: 'error', code: 'E_PROVIDER_STATUS', message: 'busy' } as const;

it('a model behind the one that failed is asked only when the budget has room, and where it was left', () => {
  const sim = simulate(catalog);
  sim.submit({ ...START, budget: { turns: 1 } });
  const [asked] = sim.open;
  if (asked === undefined) throw new Error('nothing was asked');
  sim.settle(asked, step({ end: FAILED, fallbacks: 2 }));
  expect(threadStatus(sim.state)).toMatchObject({ kind: 'waiting', for: 'budget' });
  expect(sim.open).toEqual([]);
  sim.submit({ type: 'budget.raise', to: { turns: 2 }, by: 'ann' });
  expect(sim.open).toMatchObject([{ kind: 'model.turn', input: { model: 1 } }]);
});

it('no request begins without room, whether it is the first, a retry, another model or the answer to a tool', () => {
  const someAnswer = fc.constantFrom(
    { text: 'words' },
    { names: ['echo'] },
    { end: FAILED, fallbacks: 2 },
    { end: FAILED, fallbacks: 1 },
    { end: FAILED },
    { required: true },
  );
  fc.assert(
    fc.property(fc.array(someAnswer, { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), (answers, turns) => {
      const sim = simulate(catalog);
      sim.submit({ ...START, budget: { turns } });
      for (const said of answers) {
        const effect = sim.open[0];
        if (effect === undefined) sim.submit(say(`more ${sim.log.length}`));
        else if (effect.kind === 'model.turn') sim.settle(effect, step(said));
        else sim.settle(effect, { ok: true, output: { text: 'x' } });
      }
      const asked = sim.log.filter(({ type, data }) => {
        return type === 'effect.intended' && (data as { readonly kind: string }).kind === 'model.turn';
      });
      expect(asked.length).toBeLessThanOrEqual(turns);
    }),
    runs(200, 5_000),
  );
});
