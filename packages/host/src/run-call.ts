import type { Files } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import type { PerRunKind } from './per-run-kind.js';
import { type NotedCall, readRunNote } from './run-note.js';

interface Place {
  readonly store: Pick<Store, 'read'>;
  readonly home: Files;
}

/** How a run was called: its note says so, or else its record. Undefined: no other process can go on with it. */
export async function findCall<State>(
  record: Pick<PerRunKind<State>, 'callOf'>,
  place: Place & { readonly files: Files },
  run: RunId,
): Promise<NotedCall | undefined> {
  const found = await lookFor(record, place, run);
  if (found?.scriptFile === undefined || found.script !== undefined) return found;
  const script = await place.files.readText(found.scriptFile);
  return script.ok ? { ...found, script: script.value } : undefined;
}

/** Whether a process that is told nothing but the run can go on with it. */
export const isCallable = async <State>(
  record: Pick<PerRunKind<State>, 'callOf'>,
  place: Place,
  run: RunId,
): Promise<boolean> => (await lookFor(record, place, run)) !== undefined;

async function lookFor<State>(
  record: Pick<PerRunKind<State>, 'callOf'>,
  { store, home }: Place,
  run: RunId,
): Promise<NotedCall | undefined> {
  const { call, unopened } = await readRunNote(home, run);
  // What the record has of it lacks what is sealed: nobody goes on with a part of it.
  if (call !== undefined || unopened) return call;
  const [first] = await store.read(run, { limit: 1 });
  return first && record.callOf(first);
}
