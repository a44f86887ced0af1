import { createHash } from 'node:crypto';
import {
  type Clock,
  clockOf,
  createEngine,
  createRunPorts,
  type Engine,
  type EngineFault,
  type EngineStore,
  inProcess,
} from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import type { Desk } from './desk.js';
import { type DriverOptions, residentDrivers, syncDrivers } from './drivers.js';
import { residentMachine } from './life/machine.js';
import type { ResidentCommand, ResidentConfig, ResidentState } from './life/state.js';

/**
 * The run that holds an agent's life. Names of runs have letters and digits alone: an id with other characters, or a
 * long one, is told by a hash behind an X, which no id has.
 */
export function residentRun(agent: string): RunId {
  if (/^[a-z0-9]{1,40}$/.test(agent)) return `run_agent${agent}` as RunId;
  const name = agent.replace(/[^a-z0-9]/g, '').slice(0, 24);
  return `run_agent${name}X${createHash('sha256').update(agent).digest('hex').slice(0, 16)}` as RunId;
}

/** How an agent lives when its owner says nothing else. */
export const RESIDENT_DEFAULTS = {
  budget: { turns: 200, tokens: 2_000_000, usd: null },
  maxStaleMs: 7 * 24 * 60 * 60 * 1000,
  idleMs: 60 * 60 * 1000,
  pollMs: 60_000,
  zone: 'UTC',
  reportHour: 21,
} as const satisfies ResidentConfig;

export interface ResidentOptions extends Omit<DriverOptions, 'onlineMs' | 'port'> {
  readonly agent: string;
  readonly store: EngineStore & Pick<Store, 'subscribe'>;
  readonly config: ResidentConfig;
  readonly leaseMs?: number;
  readonly clock?: Clock;
  readonly owner?: string;
  readonly fault?: EngineFault;
}

/** An agent that can be started: `start`, submit `resident.start`, and it lives until it is stopped. */
export function createResident(options: ResidentOptions): Engine<ResidentState, ResidentCommand> {
  const { agent, store, config, clock = clockOf(options.store), owner, fault, leaseMs } = options;
  const engine: Engine<ResidentState, ResidentCommand> = createEngine({
    store,
    clock,
    machine: residentMachine(agent),
    // Three rounds may be missed before an agent counts as gone.
    drivers: residentDrivers({
      ...options,
      onlineMs: Math.max(3 * config.pollMs, 180_000),
      port: createRunPorts(() => engine, store),
    }),
    redactor: options.voice.redactor,
    work: inProcess({ whenHeld: 'refuse', ...(leaseMs !== undefined && { leaseMs }) }),
    keepState: true,
    ...(owner !== undefined && { owner }),
    ...(fault && { fault }),
  });
  return engine;
}

/** An agent that only takes what is new. It calls no model. */
export function createSync(options: {
  readonly agent: string;
  readonly store: EngineStore;
  readonly desk: Desk;
  readonly clock?: Clock;
  readonly fault?: EngineFault;
}): Engine<ResidentState, ResidentCommand> {
  const { agent, store, desk, clock = clockOf(options.store), fault } = options;
  return createEngine({
    store,
    clock,
    machine: residentMachine(agent),
    drivers: syncDrivers(desk),
    work: inProcess({ whenHeld: 'refuse' }),
    keepState: true,
    ...(fault && { fault }),
  });
}
