import { processIo } from './io.js';
import { run } from './run.js';

// The process entry: streams and signals in, exit code out. Everything else is `run`.

const stop = new AbortController();
process.once('SIGINT', () => {
  stop.abort();
  process.exit(130);
});

process.exitCode = await run(process.argv.slice(2), processIo(stop.signal));
