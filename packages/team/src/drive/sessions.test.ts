import { manualClock, type TurnHold } from '@cuebook/engine';
import { createRedactor } from '@cuebook/prompt';
import { type Provider, REHEARSAL_CAPABILITIES, type SessionOptions } from '@cuebook/provider';
import { beforeEach, expect, it } from 'vitest';
import { createSessions, type Sessions } from './sessions.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const clock = manualClock(0);
let log: string[];
let sessions: Sessions;
beforeEach(() => {
  log = [];
  sessions = createSessions({ clock, idleMs: 1_000 });
});

const provider: Provider = {
  name: 'p',
  kind: 'cli',
  capabilities: REHEARSAL_CAPABILITIES,
  open({ resume, access }: SessionOptions) {
    const name = `${resume ?? 'new'} ${access}`;
    log.push(`open ${name}`);
    return {
      turn: async function* () {},
      close: async () => void log.push(`close ${name}`),
    };
  },
};
const wanted = (goesOn: string | null, access: 'plan' | 'full' = 'full') => ({
  provider,
  options: { redactor, cwd: '.', access },
  goesOn,
  turn,
});
const turn: TurnHold = {
  fence: { scope: 'lane', token: 1 },
  attempt: 1,
  signal: new AbortController().signal,
};

it('a session that goes on stays open; another access, another id or a new one closes it', async () => {
  const first = await sessions.open('k', wanted(null));
  sessions.rest('k', 's1');
  expect(await sessions.open('k', wanted('s1'))).toBe(first);
  sessions.rest('k', 's1');
  await sessions.open('k', wanted('s1', 'plan'));
  sessions.rest('k', 's1');
  await sessions.open('k', wanted(null, 'plan'));
  expect(log).toEqual(['open new full', 'close new full', 'open s1 plan', 'close s1 plan', 'open new plan']);
});

it('one that rests too long is closed, and resumed by its id; one that works is not', async () => {
  await sessions.open('k', wanted(null));
  clock.advance(5_000);
  expect(log).toEqual(['open new full']);
  sessions.rest('k', 's1');
  clock.advance(1_001);
  await sessions.open('k', wanted('s1'));
  expect(log).toEqual(['open new full', 'close new full', 'open s1 full']);
});

it('all of a run are closed together', async () => {
  await sessions.open('run_1/a', wanted(null));
  await sessions.open('run_2/a', wanted(null));
  await sessions.closeAll('run_1/');
  expect(log.filter((line) => line.startsWith('close'))).toHaveLength(1);
});
