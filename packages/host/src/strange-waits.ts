import { listStandings } from '@cuebook/engine';
import type { RunId, Store } from '@cuebook/journal';
import type { RunKind } from './kind.js';
import { askedRows } from './read-report.js';
import { approvalWait, standingWaits } from './standing-waits.js';
import { NO_ANSWER, type Wait } from './wait.js';

/** What waits in runs of kinds that this process does not have. It is listed, and answered where the kind is known. */
export async function strangeWaits(
  store: Pick<Store, 'read' | 'runs' | 'projections'>,
  kinds: readonly Pick<RunKind, 'name' | 'begins'>[],
): Promise<readonly Wait[]> {
  const standings = await listStandings(store);
  const isKnown = (name: string): boolean => kinds.some((kind) => kind.name === name);
  const waits: Wait[] = [];
  for (const row of await askedRows(store)) {
    const standing = standings.get(row.run);
    if (standing !== undefined ? isKnown(standing.kind) : await beginsKnown(row.run)) continue;
    waits.push(approvalWait(row, standing ?? { kind: 'agent', target: null }));
  }
  const strange = [...standings].filter(([, { kind }]) => !isKnown(kind));
  const lastAt = new Map<string, number>(
    strange.length === 0 ? [] : (await store.runs()).map((each) => [each.run, each.lastAt]),
  );
  for (const [run, standing] of strange)
    waits.push(
      ...standingWaits(standing, {
        ...{ run: run as RunId, since: lastAt.get(run) ?? 0, evidence: undefined, unit: 'turns' },
        ...{ afterFailure: [], failure: undefined },
      }),
    );
  return waits.map((wait) => ({ ...wait, ...NO_ANSWER }));

  /** A run that is older than the list of standings is known by its first event. */
  async function beginsKnown(run: string): Promise<boolean> {
    const [first] = await store.read(run as RunId, { limit: 1 });
    return kinds.some(({ begins }) => begins === first?.type);
  }
}
