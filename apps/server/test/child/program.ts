import { startServer } from '../../src/start/start-server.js';
import { startOptions } from '../server-stand.js';

/** A server in a process of its own, until somebody kills it. It says where it is on its standard output. */
const [root = '', leaseMs = '2000', env] = process.argv.slice(2);
const { limits, ...options } = startOptions(root);
const started = await startServer({
  ...options,
  ...(env !== undefined && { env: JSON.parse(env) as Record<string, string | undefined> }),
  limits: { ...limits, leaseMs: Number(leaseMs) },
  log: (line) => process.stderr.write(`${line}\n`),
});
if (!started.ok) {
  process.stderr.write(`${JSON.stringify(started.error)}\n`);
  process.exit(1);
}
const { url, token } = started.value;
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
process.on('SIGTERM', () => void started.value.close().then(() => process.exit(0)));
