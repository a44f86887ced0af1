import type { Store } from '../contract.js';
import type { ProjectKey } from '../owner/project-key.js';
import type { FindProof } from './key-proof.js';
import { registerProof } from './key-proof.js';
import { proved } from './proof.js';
import { findVolume, type Volume, volumeName, volumeRun } from './register-run.js';
import { beginsAt, readOpenings } from './volume.js';
import { registerLogs } from './vouch.js';

/** What stands in the registers of a project and was not written with its key. */
export async function registerProblems(
  store: Pick<Store, 'read' | 'runNames'>,
  { key, beside }: { readonly key: ProjectKey; readonly beside: FindProof },
): Promise<readonly string[]> {
  const proof = registerProof(key, beside);
  const problems: string[] = [];
  for (const [name, run] of await registerLogs(store)) {
    for (let seq = 0; ; ) {
      const events = await store.read(run, { after: seq });
      for (const event of events)
        if (proved(proof, name, event) === undefined)
          problems.push(
            `event ${event.seq} of the register of ${name} was written without the key of the project`,
          );
      if (events.length === 0 || problems.length >= MAX_TOLD) break;
      seq = events.at(-1)?.seq ?? seq;
    }
  }
  return problems;
}

/** Volumes of registers that do not begin with the end of the one before them. */
export async function volumeProblems(
  store: Pick<Store, 'read' | 'runNames' | 'standing'>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const volume of await volumesOf(store)) {
    const isThere = (await store.standing(volumeRun(volume)))?.removedAt === undefined;
    if (volume.number === 1 || !isThere) continue;
    const openings = await readOpenings(store, volume);
    const before = await store.standing(volumeRun({ ...volume, number: volume.number - 1 }));
    if (openings.length > 0 && !beginsAt(openings, before))
      problems.push(`the register of ${volumeName(volume)} does not begin with the end of the one before it`);
  }
  return problems;
}

const volumesOf = async (store: Pick<Store, 'runNames'>): Promise<readonly Volume[]> =>
  (await store.runNames()).flatMap((run) => findVolume(run) ?? []);

const MAX_TOLD = 100;
