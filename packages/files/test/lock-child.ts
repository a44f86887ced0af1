import { openFolder } from '../src/files.js';
import { withLock } from '../src/lock/lock.js';

/** Counts in a file, each time under the lock; told to, it kills itself while it holds the lock. */
const [, , root = '', rounds = '0', kill = ''] = process.argv;
const opened = await openFolder(root);
if (!opened.ok) throw new Error(opened.error.code);
const files = opened.value;
for (let round = 0; round < Number(rounds); round += 1) {
  const done = await withLock(
    files,
    'lock',
    async () => {
      if (kill !== '') process.kill(process.pid, 'SIGKILL');
      const found = await files.readText('count');
      if (!found.ok) throw new Error(found.error.code);
      await new Promise((resolve) => setImmediate(resolve));
      await files.writeText('count', String(Number(found.value) + 1));
    },
    { patienceMs: 60 * 60_000 },
  );
  if (!done.ok) throw new Error(done.error.code);
}
