import { isDeepStrictEqual } from 'node:util';
import type { RunId } from '@cuebook/journal';
import type { EngineStore } from './engine-store.js';
import { OPEN_WORK, openWorkValue, STATES } from './open-work.js';
import { createRunCache } from './run-cache.js';
import type { AnyMachine, RunState } from './run-state.js';

/** A read model that is not what the log says. */
export interface AuditFinding {
  readonly run: RunId;
  readonly model: 'open work' | 'state';
}

/**
 * Whether the read models of a run are what its log says: `replay(log) == state`. Nothing found: they are. A run that
 * somebody writes to meanwhile is looked at again, until nothing came between its log and its read models.
 */
export async function auditRun<State>(
  store: EngineStore,
  machine: AnyMachine<State>,
  run: RunId,
): Promise<readonly AuditFinding[]> {
  const cache = createRunCache(store, machine);
  let now = await cache.refresh(run);
  for (let look = 1; ; look += 1) {
    const findings = await compare(store, machine, run, now);
    const { seq } = now;
    now = await cache.refresh(run);
    if (findings.length === 0 || now.seq === seq || look === MAX_LOOKS) return findings;
  }
}

const MAX_LOOKS = 1_000;

async function compare<State>(
  store: EngineStore,
  machine: AnyMachine<State>,
  run: RunId,
  { ledger, state }: RunState<State>,
): Promise<readonly AuditFinding[]> {
  const isOpen = ledger.effects.size > 0 || ledger.timers.size > 0;
  const open = await store.projection(OPEN_WORK, run);
  const kept = await store.projection(STATES, run);
  const findings: AuditFinding[] = [];
  if (!isDeepStrictEqual(open, isOpen ? openWorkValue(machine.kind, ledger) : undefined)) {
    findings.push({ run, model: 'open work' });
  }
  if (kept !== undefined && !isDeepStrictEqual(kept, JSON.parse(JSON.stringify(state)))) {
    findings.push({ run, model: 'state' });
  }
  return findings;
}
