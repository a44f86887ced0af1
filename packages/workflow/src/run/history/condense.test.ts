import type { AgentMessage } from '@cuebook/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { calls, runDesk } from '../../../test/run-desk.js';
import { condenseHistory } from './condense.js';

const tool = (n: number, size: number): AgentMessage => ({
  role: 'tool',
  call: `call_${n}`,
  given: '',
  name: 'fs.read',
  text: 'x'.repeat(size),
  isError: false,
});
const user = (text: string): AgentMessage => ({ role: 'user', id: 'm', text, by: 'ann' });

describe('a history that is too large', () => {
  it('is left as it is while it fits', () => {
    const history = [user('hi'), tool(1, 5_000)];
    expect(condenseHistory(history, { maxBytes: 10_000, taken: 1_000 })).toEqual(
      history.map((message) => ({ message, isCut: false })),
    );
  });

  it('oldest results go first, the newest stay, and words are never touched', () => {
    const history = [user('u'.repeat(2_000)), ...Array.from({ length: 20 }, (_, n) => tool(n, 3_000))];
    const cut = condenseHistory(history, { maxBytes: 40_000, taken: 1_000 });
    const marks = cut?.map(({ isCut }) => (isCut ? 'x' : '.')).join('');
    expect(marks).toMatch(/^\.x+\.{6,}$/);
  });

  it('the same messages stay cut while it grows a little', () => {
    const of = (n: number) =>
      condenseHistory(
        Array.from({ length: n }, (_, at) => tool(at, 1_000)),
        { maxBytes: 40_000, taken: 0 },
      )
        ?.map(({ isCut }) => isCut)
        .lastIndexOf(true);
    const ends = [38, 39, 40, 41, 42, 43].map(of);
    expect(new Set(ends).size).toBeLessThanOrEqual(2);
  });

  it('for all histories: it fits, or nobody pretends that it does', () => {
    const message = fc.oneof(
      fc.nat(5_000).map((size) => tool(0, size)),
      fc.string({ maxLength: 500 }).map(user),
    );
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 40 }),
        fc.integer({ min: 1_000, max: 60_000 }),
        (history, maxBytes) => {
          const cut = condenseHistory(history, { maxBytes, taken: 500 });
          if (cut === undefined) return;
          expect(cut.map(({ message: each }) => each)).toEqual(history);
          const size = cut.reduce(
            (sum, { message: each, isCut }) => sum + 100 + (isCut ? 300 : Buffer.byteLength(each.text)),
            500,
          );
          expect(size).toBeLessThanOrEqual(maxBytes);
          expect(cut.every(({ message: each, isCut }) => !isCut || each.role === 'tool')).toBe(true);
        },
      ),
      runs(100, 10_000),
    );
  });
});

describe('a run that outgrows its model', () => {
  const names = ['ash', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'oak'];
  const textOf = (name: string) =>
    Array.from({ length: 300 }, (_, n) => `line ${n} of ${name} file`).join('\n');
  const project = Object.fromEntries(names.map((name) => [`${name}.md`, textOf(name)]));
  const steps = [
    ...names.map((name) => calls(['fs.read', { path: `@project/${name}.md` }])),
    { text: 'Read.' },
  ];

  it('tells older results by reference, which can be read, and keeps the record whole', async () => {
    const desk = await runDesk({ steps, project, contextTokens: 14_000 });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
    const last = desk.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    const told = last.map(({ content }) => JSON.parse(content) as { condensed?: true; storedAt?: string });
    expect(told[0]).toMatchObject({
      condensed: true,
      storedAt: expect.stringMatching(/^@state\/logs\/tool-results\//),
    });
    expect(told.at(-1)?.condensed).toBeUndefined();
    expect(desk.inState(told[0]?.storedAt?.slice('@state/'.length) ?? '')).toContain('line 299 of ash file');
    const { history } = (await run.read()).state.agent;
    expect(
      history.filter(({ role }) => role === 'tool').every(({ text: kept }) => kept.includes('line 299')),
    ).toBe(true);
  });

  it('that cannot be made to fit is refused by name, and no model is called', async () => {
    const desk = await runDesk({ steps, project, contextTokens: 4_000 });
    const run = await desk.open();
    await run.play('x'.repeat(20_000));
    expect(await run.status()).toMatchObject({ kind: 'failed', code: 'CONTEXT_STILL_TOO_LARGE' });
    expect(desk.requests).toEqual([]);
  });
});
