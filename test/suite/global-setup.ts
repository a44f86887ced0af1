import { ensureBundle } from '../../scripts/bundle.mjs';
import { keepFamily } from '../../scripts/family/keep.mjs';
import { folderInMemory } from './folder-in-memory.js';
import { serveServers } from './servers.js';

const RUNNING = Symbol.for('cuebook.suite.running');
const inProcess = globalThis as { [RUNNING]?: boolean };

/**
 * Once for a run of vitest, however many projects it has: what the run starts ends with it, also when it is killed,
 * one of each server stands ready for whoever asks first, the command is built from the sources of now, and temporary
 * files are in memory.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (inProcess[RUNNING]) return undefined;
  inProcess[RUNNING] = true;
  const temporary = folderInMemory();
  keepFamily(temporary);
  if (temporary !== undefined) process.env.TMPDIR = temporary;
  await ensureBundle();
  const servers = await serveServers();
  process.env.CUEBOOK_SERVERS = servers.url;
  return () => servers.stop();
}
