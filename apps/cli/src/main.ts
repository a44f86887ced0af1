import { processIo } from './io.js';
import { run } from './run.js';

// The process entry: streams and signals in, exit code out. Everything else is `run`.

const stop = new AbortController();
let waits = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  // The terminal was closed. What is under way ends in order, with the programs that it started.
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait; that a terminal is gone may be told twice.
    const isSecond = stop.signal.aborted && signal !== 'SIGHUP';
    stop.abort();
    if (isSecond || !waits) process.exit(code);
  });
}

const io = processIo(stop.signal, () => {
  waits = true;
});
process.exitCode = await run(process.argv.slice(2), io);
// A terminal, or an editor, keeps its end open: an input that nobody reads any more must not keep this process.
if (stop.signal.aborted) (process.stdin as { readonly unref?: () => void }).unref?.();
