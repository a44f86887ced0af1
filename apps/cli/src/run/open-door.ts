import { type RunKind, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { Session, TurnEvent } from '@cuebook/provider';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import type { Journal } from '../record/journal.js';
import { isOtherVersion, otherVersion } from '../team/server-version.js';
import type { Door } from './door.js';
import { isSameVoice, noteGoingOn } from './note.js';

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
  const server = isOwn ? undefined : await findFitting({ home, journal, run: begun?.run }, call);
  if (server !== undefined) {
    const [{ createClient }, { serverDoor }] = await Promise.all([
      import('@cuebook/api'),
      import('./server-door.js'),
    ]);
    return serverDoor(createClient(server), call);
  }
  if (begun !== undefined) await noteGoingOn(journal, { ...begun, folder: bench.folder }, call);
  // What runs is loaded where it runs.
  const { openOwnDoor } = await import('./own-door.js');
  return openOwnDoor({ call, bench, journal, kinds: await kinds(), overhear, heard });
}

interface Looking extends Pick<DoorPlace, 'home' | 'journal'> {
  /** Undefined: it is started. */
  readonly run: RunId | undefined;
}

/**
 * The server that is up for the project, to start a run at or to go on with one. Undefined: there is none, or nothing
 * says how the run was called, the call names another voice, or it is a server of another version.
 */
async function findFitting(
  { home, journal, run }: Looking,
  call: Call,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const { findServer } = await import('@cuebook/server/find');
  const found = await findServer(home);
  if (found === undefined) return undefined;
  if (isOtherVersion(found)) {
    call.io.err(`warning: ${otherVersion(found, 'the run is done in this process')}\n`);
    return undefined;
  }
  if (run === undefined) return found;
  const { call: noted } = await readRunNote(journal.home, run);
  return noted !== undefined && (await isSameVoice(noted, call)) ? found : undefined;
}
