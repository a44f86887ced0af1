import type { Io } from '../io.js';

/** Shows on a terminal's standard error what takes longer than a moment, and wipes it off when done. */
export async function withProgress<Value>(io: Io, label: string, work: Promise<Value>): Promise<Value> {
  if (!io.terminal.err) return work;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    io.err(`${label}…`);
  }, QUIET_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) io.err('\r\u001b[K');
  }
}

/** Work that is done sooner shows nothing. */
const QUIET_MS = 300;
