import { type Files, livingState, ownMark } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { nameProcess } from '@cuebook/process';
import { z } from 'zod';

/** Where a server of this home is, or was. */
export const PLACE_FILE = 'server.json';

const placeSchema = z.object({
  pid: z.number().int().positive(),
  /** When that process started: a later one with its number is another. Empty where the system does not say. */
  start: z.string(),
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  url: z.url(),
  /** The version of its program; an older one does not say it. */
  version: z.string().max(100).default(''),
});

/** A server that a file speaks of. */
export type ServerPlace = z.output<typeof placeSchema>;

/** Tells others where this process serves. */
export async function writePlace(
  home: Files,
  place: Pick<ServerPlace, 'host' | 'port' | 'url' | 'version'>,
): Promise<boolean> {
  const self = await nameProcess(process.pid);
  const text = JSON.stringify({ pid: process.pid, start: self?.start ?? '', ...place });
  await home.writeText(PORT_FILE, `${place.port}\n`, { mode: 0o600 });
  return (await home.writeText(PLACE_FILE, `${text}\n`, { mode: 0o600 })).ok;
}

/** What the file says, whether or not the process lives. */
export async function readPlace(home: Files): Promise<ServerPlace | undefined> {
  const text = await home.readText(PLACE_FILE, { limit: 10_000 });
  if (!text.ok) return undefined;
  try {
    const parsed = placeSchema.safeParse(JSON.parse(text.value));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A file that is no JSON speaks of no server.
    return undefined;
  }
}

/**
 * The server that runs for this home. A file that a dead process left is no server, also when its number is used
 * again. Where the system does not say when a process started, one that has the number counts.
 */
export async function findPlace(home: Files): Promise<ServerPlace | undefined> {
  const place = await readPlace(home);
  if (place === undefined) return undefined;
  return guard('start.stale', await isStale(place)) ? undefined : place;
}

async function isStale({ pid, start }: ServerPlace): Promise<boolean> {
  if (livingState({ ...ownMark(), pid, start: '' }) === 'ended') return true;
  const found = await nameProcess(pid);
  return found !== undefined && start !== '' && found.start !== start;
}

/** The port of the last time, so that a link that somebody kept stays good. */
export async function lastPort(home: Files): Promise<number | undefined> {
  const text = await home.readText(PORT_FILE, { limit: 100 });
  const port = text.ok ? Number(text.value) : Number.NaN;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

const PORT_FILE = 'server.port';

/** Takes the file away, if it is still ours. */
export async function removePlace(home: Files): Promise<void> {
  const place = await readPlace(home);
  if (place?.pid === process.pid) await home.remove(PLACE_FILE);
}
