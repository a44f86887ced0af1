import { setTimeout as wait } from 'node:timers/promises';
import type { RunId } from '@cuebook/journal';
import { cliStand } from '../cli-stand.js';
import { nodeOf, onMachine } from '../host-stand.js';
import type { ChildTask } from './task.js';

/** A process of its own that hosts one node on a command line until nothing is left to do or a person is asked. */
const {
  root,
  leaseMs,
  kill,
  reads = false,
  shared = false,
  machine,
} = JSON.parse(process.argv[2] ?? '') as ChildTask;
const stand = await cliStand({ root, limits: { leaseMs } });
const host = await stand.open({
  ...(machine !== undefined && onMachine(stand, machine)),
  fault: {
    workspace: (point) => {
      if (kill?.part === 'workspace' && kill.point === point) process.kill(process.pid, 'SIGKILL');
    },
    host: (point) => {
      if (kill?.part === 'host' && kill.point === point) process.kill(process.pid, 'SIGKILL');
    },
  },
});
const rights = reads ? ', capabilities: { delegateOnly: true }' : shared ? ', workspace: shared' : '';
const team = `goal: Work.\nmode: INTERACTIVE\nprovider: cli\nnodes: [{ alias: dev, role: implementer${rights} }]\n`;
const begun = await host.startRun({ id: 'the run', by: 'ann', team: { text: team } });
if (!begun.ok) throw new Error(JSON.stringify(begun.error));
await untilQuiet(begun.value.run);
await stand.stopAll('wait');
await stand.store.close();
process.exit(0);

async function untilQuiet(run: RunId): Promise<void> {
  for (;;) {
    const read = await host.read(run);
    if (!read.ok) throw new Error(read.error.code);
    const { work } = nodeOf(read.value.state, 'dev');
    if (work === null || read.value.state.doubts.length > 0) return;
    await wait(10);
  }
}
