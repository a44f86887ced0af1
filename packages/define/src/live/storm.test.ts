import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { call, open, toolText } from '../../test/live.js';

const BODIES = {
  ok: 'return "ok";',
  slow: 'await new Promise((go) => setTimeout(go, 5)); return "ok";',
  throws: 'throw new Error("no");',
  waits: 'await new Promise(() => {});',
  loops: 'for (;;) {}',
  leaves: 'process.exit(0);',
  prints: 'for (let n = 0; n < 50; n += 1) console.log("x".repeat(1000)); return "ok";',
} as const;
type Name = keyof typeof BODIES;

describe('a storm of calls', () => {
  it('answers every one of them, once, and goes on', async () => {
    const names = fc.array(fc.constantFrom(...(Object.keys(BODIES) as Name[])), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(names, async (called) => {
        const live = await open(
          Object.fromEntries(
            Object.entries(BODIES).map(([name, body]) => [`tools/${name}.ts`, toolText(body)]),
          ),
        );
        const answers = await Promise.all(called.map((name) => call(live, name, { timeoutMs: 300 })));
        for (const [index, { kind }] of answers.entries()) {
          const name = called[index] as Name;
          const own = name === 'throws' ? 'error' : 'success';
          const stops = name === 'waits' || name === 'loops' || name === 'leaves';
          expect(stops ? ['stopped'] : [own, 'stopped']).toContain(kind);
        }
        expect(await call(live, 'ok')).toMatchObject({ kind: 'success' });
        await live.close();
      }),
      runs(4, 100),
    );
  });
});
