import type { Files } from '@cuebook/files';
import { readRunNote, UNOPENED_NOTE } from '@cuebook/host';
import { eventsOf, type RunId, type Store } from '@cuebook/journal';
import { readScript, type Script } from '@cuebook/provider';
import { serversSchema } from '@cuebook/provider/servers';
import { openScriptLanes } from '../drive/lanes.js';
import type { RunParts, RunScript } from '../drive/turn-parts.js';

/** What runs need beside their logs, read once by each process. */
export function createRunNotes(home: Files, store: Pick<Store, 'read'>): (run: RunId) => Promise<RunParts> {
  const known = new Map<RunId, Promise<RunParts>>();
  return (run) => {
    const parts = known.get(run) ?? readParts(home, store, run);
    known.delete(run);
    known.set(run, parts);
    // What cannot be read now may be readable later: the key of the home may come back.
    parts.catch(() => known.delete(run));
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
    return parts;
  };
}

/** Runs at work at once whose notes are kept in memory; one more is read again. */
const MOST = 256;

async function readParts(home: Files, store: Pick<Store, 'read'>, run: RunId): Promise<RunParts> {
  const { setup, script: text, servers: noted, unopened } = await readRunNote(home, run);
  if (unopened) throw new Error(`${UNOPENED_NOTE.code} ${UNOPENED_NOTE.message}`);
  const servers = noted === undefined ? undefined : serversSchema.safeParse(noted).data;
  const script = text === undefined ? undefined : readScript(text, 'script');
  if (!script?.ok) return { setup, servers };
  return { setup, servers, script: scriptOf(script.value, { store, run }) };
}

function scriptOf(
  script: Script,
  of: { readonly store: Pick<Store, 'read'>; readonly run: RunId },
): RunScript {
  const lanes = openScriptLanes(script);
  let heardTo = 0;
  return {
    script,
    lanes,
    async catchUp() {
      for await (const { type, data, seq } of eventsOf(of.store, of.run, heardTo)) {
        if (type === 'effect.settled') lanes.hear(sessionOf(data));
        heardTo = Math.max(heardTo, seq);
      }
    },
  };
}

/** The session of a rehearsed turn: it says which step was played. */
function sessionOf(data: unknown): readonly string[] {
  const { outcome } = data as { readonly outcome?: { readonly output?: unknown } };
  const { rehearsal, sessionId } = Object(outcome?.output) as { rehearsal?: unknown; sessionId?: unknown };
  return rehearsal === true && typeof sessionId === 'string' ? [sessionId] : [];
}
