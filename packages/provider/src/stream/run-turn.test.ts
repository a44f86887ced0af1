import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { manualClock } from '../../test/manual-clock.js';
import { HOME, redactor, requestOf, SECRET } from '../../test/play.js';
import type { TurnEnd, TurnEvent, TurnInput } from '../turn.js';
import type { LiveTurn, Speak } from './live-turn.js';
import { runTurn } from './run-turn.js';

const GRACE_MS = 50;

function start(speak: Speak, input: Partial<TurnInput> = {}) {
  const clock = manualClock();
  const turn = runTurn({
    provider: 'test',
    session: { model: 'm' },
    input: {
      request: requestOf('hi'),
      limits: { idleMs: 100, totalMs: 1_000, outputBytes: 10_000 },
      ...input,
    },
    redactor,
    speak,
    clock,
    graceMs: GRACE_MS,
  });
  return { clock, turn };
}

async function readAll(turn: AsyncIterable<TurnEvent>): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

const endOf = (events: readonly TurnEvent[]): TurnEnd => events.at(-1) as TurnEnd;
const textOf = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
const say = (turn: LiveTurn, text: string): void => turn.emit({ type: 'text.delta', block: 0, text });
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const forever = (): Promise<never> => new Promise(() => {});
/** Lets everything that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the frame of a turn', () => {
  it('begins with what the session knows and ends as the speaker says', async () => {
    const { turn } = start(async (live) => {
      say(live, 'hello');
      return { reason: 'done', stop: 'stop' };
    });
    expect(await readAll(turn)).toEqual([
      { type: 'turn.start', provider: 'test', model: 'm' },
      { type: 'text.delta', block: 0, text: 'hello' },
      { type: 'turn.end', reason: 'done', stop: 'stop' },
    ]);
  });

  it('begins with what the speaker knows better', async () => {
    const { turn } = start(async (live) => {
      live.started({ model: 'm-2', sessionId: 's-1' });
      return { reason: 'done' };
    });
    const [first] = await readAll(turn);
    expect(first).toEqual({ type: 'turn.start', provider: 'test', model: 'm-2', sessionId: 's-1' });
  });

  it('keeps the text that came before a throw, and cleans what is thrown', async () => {
    const { turn } = start(async (live) => {
      say(live, 'half');
      throw new Error(`no ${HOME}/x with ${SECRET}\nat line 2`);
    });
    const events = await readAll(turn);
    expect(textOf(events)).toBe('half');
    const { reason, error } = endOf(events);
    expect([reason, error?.code]).toEqual(['error', 'E_PROVIDER_FAILED']);
    expect(error?.message).not.toMatch(/marked-person|sk-live|\n/);
  });

  it('runs once, however often it is read', async () => {
    let count = 0;
    const { turn } = start(async () => {
      count += 1;
      return { reason: 'done' };
    });
    await readAll(turn);
    expect(await readAll(turn)).toEqual([]);
    expect(count).toBe(1);
  });

  it('cleans and bounds what is logged', async () => {
    const { turn } = start(async (live) => {
      live.emit({ type: 'log', level: 'info', text: `${SECRET} ${'x'.repeat(5_000)}` });
      return { reason: 'done' };
    });
    const log = (await readAll(turn))[1];
    expect(log?.type === 'log' && log.text.length).toBe(2_001);
    expect(JSON.stringify(log)).not.toContain(SECRET);
  });
});

describe('limits', () => {
  it('ends a silent turn, tells the speaker, and waits for it', async () => {
    let told = false;
    const { clock, turn } = start(async (live) => {
      say(live, 'half');
      await aborted(live.signal);
      told = true;
      live.emit({ type: 'usage', usage: USAGE });
      return { reason: 'done' };
    });
    const reading = readAll(turn);
    await settle();
    clock.pass(99);
    expect(told).toBe(false);
    clock.pass(1);
    const events = await reading;
    expect(told).toBe(true);
    expect(endOf(events)).toMatchObject({
      reason: 'timeout',
      error: { code: 'E_PROVIDER_TIMEOUT', retryable: true },
    });
    expect(events.map(({ type }) => type)).toEqual(['turn.start', 'text.delta', 'usage', 'turn.end']);
    expect(clock.pending).toBe(0);
  });

  it('does not call a turn silent while things happen, but ends it when it takes too long', async () => {
    let live: LiveTurn | undefined;
    const { clock, turn } = start((each) => {
      live = each;
      return aborted(each.signal).then(() => ({ reason: 'aborted' }));
    });
    const reading = readAll(turn);
    await settle();
    for (let passed = 0; passed < 950; passed += 50) {
      clock.pass(50);
      live?.received(1);
    }
    expect(live?.signal.aborted).toBe(false);
    clock.pass(50);
    expect(endOf(await reading)).toMatchObject({
      reason: 'timeout',
      error: { message: 'The turn took too long.' },
    });
  });

  it('does not count the time in which the caller is waited for', async () => {
    let answer = (_: { readonly output: string }) => {};
    const { clock, turn } = start(
      async (live) => {
        await live.input.callTool?.({ id: '1', name: 'wait', input: {} });
        say(live, 'after');
        return { reason: 'done' };
      },
      { callTool: () => new Promise((resolve) => (answer = resolve)) },
    );
    const reading = readAll(turn);
    await settle();
    clock.pass(500);
    answer({ output: 'ok' });
    expect(textOf(await reading)).toBe('after');
  });

  it.each([
    ['received', (live: LiveTurn) => live.received(10_001)],
    ['emitted', (live: LiveTurn) => say(live, 'x'.repeat(10_000))],
  ])('ends a turn of too much %s', async (_name, flood) => {
    const { clock, turn } = start(async (live) => {
      flood(live);
      say(live, 'more');
      return forever();
    });
    const reading = readAll(turn);
    await settle();
    clock.pass(GRACE_MS);
    const events = await reading;
    expect(endOf(events)).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_OUTPUT' } });
    expect(textOf(events)).not.toContain('more');
  });

  it('does not wait longer than its grace for a speaker that does not stop', async () => {
    const { clock, turn } = start(forever);
    const reading = readAll(turn);
    await settle();
    clock.pass(100);
    await settle();
    clock.pass(GRACE_MS);
    expect(endOf(await reading).reason).toBe('timeout');
  });
});

describe('leaving', () => {
  it('an abort ends the turn and is heard by the speaker', async () => {
    const controller = new AbortController();
    const { turn } = start(
      async (live) => {
        say(live, 'half');
        await aborted(live.signal);
        return { reason: 'done' };
      },
      { signal: controller.signal },
    );
    const reading = readAll(turn);
    await settle();
    controller.abort();
    const events = await reading;
    expect(textOf(events)).toBe('half');
    expect(endOf(events)).toEqual({ type: 'turn.end', reason: 'aborted' });
  });

  it('a turn that is aborted before it begins says nothing', async () => {
    let spoke = false;
    const { turn } = start(
      async () => {
        spoke = true;
        return { reason: 'done' };
      },
      { signal: AbortSignal.abort() },
    );
    expect((await readAll(turn)).map(({ type }) => type)).toEqual(['turn.start', 'turn.end']);
    expect(spoke).toBe(false);
  });

  it('a reader who leaves aborts the turn', async () => {
    let told = false;
    const { turn } = start(async (live) => {
      say(live, 'one');
      await aborted(live.signal);
      told = true;
      return { reason: 'done' };
    });
    for await (const event of turn) if (event.type === 'text.delta') break;
    expect(told).toBe(true);
  });
});

type Deed = 'text' | 'log' | 'tool' | 'usage' | 'send' | 'leak' | 'received' | 'wait' | 'pause' | 'late';
const DEEDS: readonly Deed[] = [
  'text',
  'log',
  'tool',
  'usage',
  'send',
  'leak',
  'received',
  'wait',
  'pause',
  'late',
];

it('whatever a speaker does, the stream has one start first, one end last, and never rejects', async () => {
  const script = fc.record({
    deeds: fc.array(fc.constantFrom(...DEEDS), { maxLength: 30 }),
    last: fc.constantFrom('done', 'throw', 'throw-odd', 'hang', 'flood', 'refuse'),
    abortAfter: fc.option(fc.nat(12)),
    leaveAfter: fc.option(fc.nat(12)),
  });
  const property = fc.asyncProperty(script, async ({ deeds, last, abortAfter, leaveAfter }) => {
    const controller = new AbortController();
    const late: Promise<void>[] = [];
    const { clock, turn } = start(
      async (live) => {
        for (const deed of deeds) await act(live, deed, late);
        if (last === 'throw') throw new Error('broken');
        if (last === 'throw-odd') throw null;
        if (last === 'hang') return forever();
        if (last === 'flood') for (let count = 0; count < 500; count += 1) say(live, 'x'.repeat(100));
        return { reason: last === 'refuse' ? 'refused' : 'done' };
      },
      { signal: controller.signal },
    );
    const events: TurnEvent[] = [];
    const reading = (async () => {
      for await (const event of turn) {
        events.push(event);
        if (events.length === leaveAfter) return;
      }
    })();
    for (let round = 0; round < 60; round += 1) {
      await Promise.resolve();
      if (round === abortAfter) controller.abort();
      clock.pass(20);
      if (round % 10 === 9) await settle();
    }
    clock.pass(2_000);
    await settle();
    clock.pass(2_000);
    await reading;
    await Promise.all(late);
    expect(events.filter(({ type }) => type === 'turn.start').length).toBeLessThanOrEqual(1);
    if (events.length > 0) expect(events[0]?.type).toBe('turn.start');
    if (leaveAfter === null || events.length < leaveAfter || leaveAfter === 0) {
      expect(events.filter(({ type }) => type === 'turn.end').length).toBe(1);
      expect(endOf(events).type).toBe('turn.end');
    }
    const size = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    expect(size).toBeLessThan(30_000);
    expect(clock.pending).toBe(0);
  });
  await fc.assert(property, runs(150, 5_000));
});

const USAGE = {
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

async function act(live: LiveTurn, deed: Deed, late: Promise<void>[]): Promise<void> {
  if (deed === 'text') say(live, 'word ');
  else if (deed === 'log') live.emit({ type: 'log', level: 'info', text: 'note' });
  else if (deed === 'tool') live.emit({ type: 'tool.start', id: '1', name: 't', by: 'caller' });
  else if (deed === 'usage') live.emit({ type: 'usage', usage: USAGE });
  else if (deed === 'send') await live.pass('stdin', 'hello');
  else if (deed === 'leak') await live.pass('stdin', SECRET);
  else if (deed === 'received') live.received(700);
  else if (deed === 'wait') await Promise.resolve();
  else if (deed === 'pause') await settle();
  else late.push(settle().then(() => say(live, 'late')));
}
