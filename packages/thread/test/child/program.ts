import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveProject } from '@cuebook/define';
import { type EngineFault, inProcess } from '@cuebook/engine';
import { memorySource, openFolder } from '@cuebook/files';
import { openVault } from '@cuebook/host';
import { createSigner, openStore, type RunId, type StoreFault } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { createRehearsalProvider } from '@cuebook/provider';
import { threadStatus } from '../../src/run/status.js';
import { openThreads, type Threads } from '../../src/threads.js';
import { readTrace } from '../../src/trace.js';
import { SCENE, SCRIPT } from './scene.js';
import { type ChildTask, WORLD } from './task.js';

/** A process of its own that runs one thread to its end, kills itself where it was told to, and prints the trace. */
const RUN = 'run_kill' as RunId;
const { folder, kill } = JSON.parse(process.argv[2] ?? '') as ChildTask;

let hits = 0;
const die = (isHere: boolean): void => {
  if (!isHere) return;
  hits += 1;
  if (hits === kill?.hit) process.kill(process.pid, 'SIGKILL');
};
const engineFault: EngineFault = (point) => die(kill?.part === 'engine' && kill.point === point);
const storeFault =
  (when: 'before' | 'after') =>
  (point: string): void =>
    die(kill?.part === 'store' && kill.when === when && kill.point === point);
const fault: StoreFault = { before: storeFault('before'), after: storeFault('after') };

const home = value(await openFolder(join(folder, 'home'), { create: true }));
const store = value(await openStore({ file: join(folder, 'home', 'journal.db') }, { fault }));
const project = value(
  memorySource(Object.fromEntries(Object.entries(SCENE).map(([path, text]) => [`agents/${path}`, text]))),
);
const live = await openLiveProject(project, { limits: { fileMs: 10 * 60_000 } });
const provider = createRehearsalProvider({ script: SCRIPT });
const threads: Threads = value(
  await openThreads({
    live,
    store,
    signer: value(await createSigner(home)),
    vault: value(await openVault(home)),
    provider: () => ok(provider),
    context: { roots: [], private: [], names: [] },
    owner: `child ${process.pid}`,
    work: inProcess({ leaseMs: 10 * 60_000, sweepMs: 200 }),
    fault: engineFault,
  }),
);
if ((await store.head(RUN)) === undefined) {
  const env = { WORLD: join(folder, WORLD) };
  value(await threads.start({ run: RUN, id: 'go', agent: 'desk', text: 'Do it all.', env }));
}
for (;;) {
  await threads.drain();
  const status = threadStatus(await threads.read(RUN));
  if (status.kind === 'done' || status.kind === 'failed') break;
  if (status.kind === 'waiting' && status.for === 'outcome')
    for (const { effect, call } of status.calls) await answer(effect, (call.input as { n: string }).n);
  if (status.kind === 'waiting' && status.for === 'approval')
    for (const { id } of status.approvals)
      await threads.answer(RUN, { id: `allow ${id}`, approval: id, decision: 'allow' });
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const lines: unknown[] = [];
for await (const line of readTrace(store, RUN)) lines.push(line);
await threads.close();
await live.close();
await store.close();
process.send?.(lines, () => process.exit(0));

/** A person looks at the world. */
async function answer(effect: string, n: string): Promise<void> {
  const file = join(folder, WORLD);
  const done = existsSync(file) && readFileSync(file, 'utf8').split('\n').includes(n);
  value(await threads.resolve(RUN, effect, done ? { result: `acted ${n}` } : 'not-done'));
}

function value<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: object },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
