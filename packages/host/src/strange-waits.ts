import { findStanding, listStandings, readApprovals } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import type { RunKind } from './kind.js';
import { lastEvent } from './read-report.js';
import { approvalWait, standingWaits } from './standing-waits.js';
import { NO_ANSWER, type Wait } from './wait.js';

/** What waits in runs of kinds that this process does not have. It is listed, and answered where the kind is known. */
export async function strangeWaits(
  store: Pick<Store, 'head' | 'read' | 'projection' | 'projections'>,
  kinds: readonly Pick<RunKind, 'name' | 'begins'>[],
): Promise<readonly Wait[]> {
  const standings = await listStandings(store, { active: true });
  const isKnown = (name: string): boolean => kinds.some((kind) => kind.name === name);
  const waits: Wait[] = [];
  for (const row of await readApprovals(store)) {
    const standing = standings.get(row.run) ?? (await findStanding(store, row.run));
    if (standing !== undefined ? isKnown(standing.kind) : await beginsKnown(row.run)) continue;
    waits.push(approvalWait(row, standing ?? { kind: 'agent', target: null }));
  }
  const strange = [...standings].filter(([, { kind }]) => !isKnown(kind));
  for (const [run, standing] of strange) {
    const still = {
      run: run as RunId,
      since: 0,
      evidence: undefined,
      unit: 'turns',
      failure: undefined,
    } as const;
    const found = standingWaits(standing, { ...still, afterFailure: [] });
    const since = found.length === 0 ? 0 : await lastTime(run);
    waits.push(...found.map((wait) => ({ ...wait, since })));
  }
  return waits.map((wait) => ({ ...wait, ...NO_ANSWER }));

  async function lastTime(run: string): Promise<number> {
    const head = await store.head(run as RunId);
    return head === undefined ? 0 : ((await lastEvent(store, run as RunId, head.seq))?.at ?? 0);
  }

  /** A run that is older than the list of standings is known by its first event. */
  async function beginsKnown(run: string): Promise<boolean> {
    const [first] = await store.read(run as RunId, { limit: 1 });
    return kinds.some(({ begins }) => begins === first?.type);
  }
}
