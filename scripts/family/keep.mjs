// @ts-check
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WARDEN = fileURLToPath(new URL('./warden.mjs', import.meta.url));
const SIGNALS = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/**
 * From now on nothing that this process starts outlives it, however it ends: by itself, by a signal, or killed. A
 * warden watches the family from outside. Call it before anything is started: what is started afterwards inherits
 * the mark by which the warden knows it.
 *
 * @param {string} [folder] removed when all have ended
 * @returns {() => Promise<void>} ends whatever was started and is still running
 */
export function keepFamily(folder) {
  const warden = spawn(
    process.execPath,
    [WARDEN, String(process.pid), ...(folder === undefined ? [] : [folder])],
    {
      // A session of its own: what ends our group does not end it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  process.env.CUEBOOK_WARDEN = String(warden.pid);
  const gone = new Promise((resolve) => warden.once('exit', resolve));
  warden.unref();
  // The end of the pipe that we hold: it closes with us, and keeps us from nothing.
  const held = /** @type {import('node:net').Socket} */ (warden.stdin);
  held.unref();
  held.on('error', () => undefined);

  const end = async () => {
    warden.ref();
    held.destroy();
    await gone;
  };
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => void end().then(() => process.exit(code)));
  }
  return end;
}
