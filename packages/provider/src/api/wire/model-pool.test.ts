import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import type { Model } from './model.js';
import { createModelPool } from './model-pool.js';

const usual = { model: 'm', key: 'k', baseUrl: 'http://127.0.0.1:1/v1', headers: {} };

/** What a model sends goes to a fetch that keeps it and answers nothing. */
function gate() {
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    bodies.push(String(init?.body));
    return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
  };
  return { bodies, fetch };
}

const say = (model: Model, text: string) =>
  model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] });

it('whatever calls overlap: each sends through its own gate, and through no other', async () => {
  const call = fc.record({ model: fc.constantFrom('m', 'n'), says: fc.integer({ min: 0, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), fc.scheduler(), async (calls, scheduler) => {
      const pool = createModelPool('compatible');
      const gates = calls.map(() => gate());
      const used = calls.map(({ model, says }, index) =>
        scheduler.schedule(Promise.resolve()).then(() =>
          pool.use({ ...usual, model, fetch: gates[index]?.fetch as typeof fetch }, async (own) => {
            for (let at = 0; at < says; at += 1) {
              await scheduler.schedule(Promise.resolve());
              await say(own, `call ${index} says ${at}`);
            }
          }),
        ),
      );
      await scheduler.waitFor(Promise.all(used));
      for (const [index, { model, says }] of calls.entries()) {
        const told = gates[index]?.bodies.map((body) => JSON.parse(body)) ?? [];
        expect(told.map((body) => [body.model, body.messages[0].content])).toEqual(
          Array.from({ length: says }, (_, at) => [model, `call ${index} says ${at}`]),
        );
      }
    }),
    runs(60, 600),
  );
});

it('makes a model once for calls that follow each other, and a call that is over sends nothing more', async () => {
  const pool = createModelPool('compatible');
  const [one, two] = [gate(), gate()];
  const keep = async (model: Model): Promise<Model> => model;
  const first = await pool.use({ ...usual, fetch: one.fetch }, keep);
  await expect(say(first, 'late')).rejects.toThrow('the call is over');
  expect(await pool.use({ ...usual, fetch: two.fetch }, keep)).toBe(first);
  const others = [
    { key: 'other' },
    { baseUrl: 'http://127.0.0.1:2/v1' },
    { headers: { a: 'b' } },
    { model: 'n' },
  ];
  for (const other of others)
    expect(await pool.use({ ...usual, ...other, fetch: two.fetch }, keep)).not.toBe(first);
  expect([...one.bodies, ...two.bodies]).toEqual([]);
});
