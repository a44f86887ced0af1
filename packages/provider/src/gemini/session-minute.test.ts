import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { homeOf, waitOutMinute } from './session-minute.js';

const ID = '0f3a9c21-1111-4111-8111-111111111111';
const BEGAN = Date.parse('2026-11-15T18:43:20.500Z');
const home = mkdtempSync(join(tmpdir(), 'cuebook-minute-'));
const chats = join(home, '.gemini', 'tmp', 'project', 'chats');
mkdirSync(chats, { recursive: true });
writeFileSync(join(chats, 'session-2026-11-15T18-43-0f3a9c21.jsonl'), '');
afterAll(() => rmSync(home, { recursive: true }));

/** Waits with a clock of its own, and says how long. */
async function waited(
  now: number,
  options: { readonly id?: string; readonly signal?: AbortSignal; readonly at?: string } = {},
) {
  const waits: number[] = [];
  let time = now;
  const did = await waitOutMinute({
    ...{ home: options.at ?? home, sessionId: options.id ?? ID, signal: options.signal },
    now: () => time,
    wait: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  });
  return { did, waits };
}

describe('a session of the minute that runs', () => {
  it('is left alone until the minute is over', async () => {
    expect(await waited(BEGAN)).toEqual({ did: true, waits: [39_500] });
  });

  it('is not waited for later, nor is another session', async () => {
    expect(await waited(BEGAN + 60_000)).toEqual({ did: false, waits: [] });
    expect(await waited(BEGAN, { id: 'ffffffff-1111-4111-8111-111111111111' })).toEqual({
      did: false,
      waits: [],
    });
  });

  it('is not waited for when the turn is over, or where Gemini CLI has kept nothing', async () => {
    expect(await waited(BEGAN, { signal: AbortSignal.abort() })).toEqual({ did: false, waits: [] });
    expect(await waited(BEGAN, { at: join(home, 'nowhere') })).toEqual({ did: false, waits: [] });
  });

  it('stops waiting when told to', async () => {
    const stop = new AbortController();
    const now = () => BEGAN;
    const over = waitOutMinute({ home, sessionId: ID, signal: stop.signal, now });
    setImmediate(() => stop.abort());
    expect(await over).toBe(true);
  });

  it('is looked for where the child has its home', () => {
    expect(homeOf({ GEMINI_CLI_HOME: '/a', HOME: '/b' })).toBe('/a');
    expect(homeOf({ HOME: '/b' })).toBe('/b');
  });
});
