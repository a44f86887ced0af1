import type { RunKind } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { Session, TurnEvent } from '@cuebook/provider';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import type { Journal } from '../record/journal.js';
import type { Door } from './door.js';
import { noteGoingOn } from './note.js';
import { findHosted, serverDoor } from './server-door.js';

export interface DoorPlace {
  /** CUEBOOK_HOME as a path. */
  readonly home: string;
  readonly journal: Journal;
  readonly bench: Bench;
  /** A run that has begun, how a later process calls it, and whether the log says how it was called; left out: it is started. */
  readonly begun?: { readonly run: RunId; readonly target: string; readonly isRecorded: boolean } | undefined;
  /** The kinds of runs of a host in this process. */
  readonly kinds: () => Promise<readonly RunKind[]>;
  /** Only this process knows what the call wants. */
  readonly isOwn: boolean;
  readonly overhear?: (session: Session) => Session;
  /** Everything that is said live, in this process. */
  readonly heard?: (event: TurnEvent) => void;
}

/** The server of the project if one is up and can do what the call wants; otherwise a host in this process. */
export async function openDoor(call: Call, place: DoorPlace): Promise<Door> {
  const { home, journal, bench, begun, kinds, isOwn, overhear, heard } = place;
  const hosted = isOwn ? undefined : await findHosted({ home, journal, run: begun?.run }, call);
  if (hosted !== undefined) return serverDoor(hosted.client, call);
  if (begun !== undefined) await noteGoingOn(journal, { ...begun, folder: bench.folder }, call);
  // What runs is loaded where it runs.
  const { openOwnDoor } = await import('./own-door.js');
  return openOwnDoor({ call, bench, journal, kinds: await kinds(), overhear, heard });
}
