import { isDeepStrictEqual } from 'node:util';
import type { RunId } from '@cuebook/journal';
import type { EngineStore } from './engine-store.js';
import { OPEN_WORK, openWorkValue, STATES } from './open-work.js';
import { createRunCache } from './run-cache.js';
import type { AnyMachine } from './run-state.js';

/** A read model that is not what the log says. */
export interface AuditFinding {
  readonly run: RunId;
  readonly model: 'open work' | 'state';
}

/** Whether the read models of a run are what its log says: `replay(log) == state`. Nothing found: they are. */
export async function auditRun<State>(
  store: EngineStore,
  machine: AnyMachine<State>,
  run: RunId,
): Promise<readonly AuditFinding[]> {
  const { ledger, state } = await createRunCache(store, machine).load(run);
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
