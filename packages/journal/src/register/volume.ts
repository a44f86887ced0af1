import type { JsonValue } from '@cuebook/prompt';
import type { NewEvent, RunId, Store, StoredEvent } from '../contract.js';
import { findVolume, type Volume, volumeRun } from './register-run.js';

/** The last event of a volume: nothing that comes behind it counts. */
export const CLOSED = 'register.closed';
/** The first event of every volume but the first: the state at the end of the one before it. */
export const OPENED = 'register.opened';

/** How a volume begins. */
export interface VolumeOpening {
  readonly state: JsonValue;
  /** The end of the volume before it. */
  readonly from: { readonly seq: number; readonly hash: string };
}

export const closedEvent = ({ number }: Volume): NewEvent => ({ type: CLOSED, data: { volume: number } });

export const openedEvent = ({ number }: Volume, { state, from }: VolumeOpening): NewEvent => ({
  type: OPENED,
  data: { volume: number, state, from },
});

export const openingOf = (event: Pick<StoredEvent, 'data'>): VolumeOpening => {
  const { state = null, from } = Object(event.data) as Partial<VolumeOpening>;
  return { state, from: { seq: Number(Object(from).seq), hash: String(Object(from).hash) } };
};

/** How a volume says that it begins. Of several, those that somebody wrote without the key count for nothing. */
export async function readOpenings(
  store: Pick<Store, 'read'>,
  volume: Volume,
): Promise<readonly VolumeOpening[]> {
  const events = await store.read(volumeRun(volume), { limit: FEW });
  return events.filter(({ type }) => type === OPENED).map(openingOf);
}

/** Whether one of these says that its volume begins where another one ends. */
export const beginsAt = (
  openings: readonly VolumeOpening[],
  end: { readonly seq: number; readonly hash: string } | undefined,
): boolean => openings.some(({ from }) => from.seq === end?.seq && from.hash === end.hash);

/** Whether a run is a volume that was closed, and whose state the next one begins with: then it may be removed. */
export async function isFollowed(store: Pick<Store, 'read' | 'standing'>, run: RunId): Promise<boolean> {
  const volume = findVolume(run);
  const here = volume && (await store.standing(run));
  if (volume === undefined || here === undefined) return false;
  const [last] = await store.read(run, { after: here.seq - 1 });
  if (last?.type !== CLOSED) return false;
  return beginsAt(await readOpenings(store, { ...volume, number: volume.number + 1 }), here);
}

/** The run of a register: of one that rolls, its newest volume, whichever is named; undefined: there is none. */
export async function findRegister(
  store: Pick<Store, 'head' | 'runNames'>,
  run: RunId,
): Promise<RunId | undefined> {
  if ((await store.head(run)) !== undefined) return run;
  const name = findVolume(run)?.name;
  if (name === undefined) return undefined;
  const numbers = (await store.runNames()).flatMap((each) => {
    const volume = findVolume(each);
    return volume?.name === name ? [volume.number] : [];
  });
  const newest = volumeRun({ name, number: Math.max(1, ...numbers) });
  return (await store.head(newest)) === undefined ? undefined : newest;
}

/** Openings are looked for at the beginning; before them is only what somebody wrote without the key. */
const FEW = 20;
