import type { Catalog } from '@cuebook/define';
import { beforeAll, describe, expect, it } from 'vitest';
import { desk, ECHO } from '../../test/project.js';
import { catalogOf, START, simulate } from '../../test/simulated.js';
import { threadStanding } from './standing.js';
import { NEW_THREAD, type ThreadRunState } from './state.js';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOf(desk("tools: ['echo'],", { 'tools/echo.ts': ECHO }));
});

describe('how a thread stands', () => {
  it('is nothing before it begins, and then what its status is', () => {
    expect(threadStanding(NEW_THREAD)).toBeUndefined();
    const sim = simulate(catalog);
    sim.submit(START);
    expect(threadStanding(sim.state)).toEqual({
      kind: 'thread',
      target: `agent:${START.agent}`,
      status: 'running',
    });
  });

  it('keeps the agent that it was begun with, whoever it was handed to', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    const state = sim.state;
    const main = state.frames.main;
    if (main === undefined) throw new Error('no frame');
    const handed: ThreadRunState = { ...state, frames: { main: { ...main, agent: 'other' } } };
    expect(threadStanding(handed)?.target).toBe(`agent:${START.agent}`);
    expect(threadStanding({ ...state, agent: 'prompt:solo' })?.target).toBe('prompt:solo');
  });

  it('says what a person is waited for', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    const exhausted = { scope: 'run', unit: 'turns', limit: 3, spent: 3, held: 0 } as never;
    const spent: ThreadRunState = { ...sim.state, pause: { kind: 'budget', exhausted } };
    expect(threadStanding(spent)).toMatchObject({
      status: 'waiting',
      wait: { for: 'budget', message: 'The budget is spent: 3 turns.' },
    });
  });
});
