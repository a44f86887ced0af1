import { createHash, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openFolder } from '@cuebook/files';
import { createRecorder, openStore, type RunId, signerOf } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { createRehearsalProvider, readScript } from '@cuebook/provider';
import { answered, loadPackage, openWorkflowRun } from '../../src/index.js';
import type { ChildReport, ChildTask } from './task.js';

/** A process of its own that begins a run or goes on with it, and kills itself where it was told to. */
const task = JSON.parse(process.argv[2] ?? '') as ChildTask;
const RUN = 'run_1' as RunId;
const hits: Record<string, number> = {};
const at = (point: string): void => {
  hits[point] = (hits[point] ?? 0) + 1;
  if (task.kill?.point === point && task.kill.hit === hits[point]) process.kill(process.pid, 'SIGKILL');
};

const source = must(await openFolder(task.pkg, { access: 'ro' }));
const loaded = await loadPackage(source);
if (!loaded.ok) throw new Error('no package');
const workflow = loaded.value.workflows.get(loaded.value.entry);
if (workflow === undefined) throw new Error('no workflow');
const store = must(
  await openStore(
    { file: join(task.home, 'journal.db') },
    {
      fault: { before: (point) => at(`store before ${point}`), after: (point) => at(`store after ${point}`) },
    },
  ),
);
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const signer = signerOf(pem.toString());
if (signer === undefined) throw new Error('no key');
const script = readScript(task.script, 'script');
if (!script.ok) throw new Error('no script');
const redactor = createRedactor({ roots: [], private: [], names: [] });
const provider = createRehearsalProvider({ script: script.value });
const run = must(
  await openWorkflowRun({
    run: RUN,
    store,
    recorder: createRecorder({ store, signer }),
    package: loaded.value,
    workflow,
    facts: { mode: 'run', activeAgentId: 'sm' },
    places: { project: task.project, pkg: task.pkg, folder: task.folder },
    settings: { terminal: { enabled: task.terminal } },
    voice: {
      provider: 'rehearsal',
      kind: 'rehearsal',
      priced: true,
      open: (resume) => provider.open({ redactor, ...(resume === undefined ? {} : { resume }) }),
    },
    redactor,
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    // Long enough that a busy machine does not lose it: a script cannot say a step twice.
    leaseMs: 60_000,
    fault: { engine: (point) => at(`engine ${point}`), files: (point) => at(`files ${point}`) },
  }),
);
while (!(await run.take())) await wait(20);
must(await run.begin({ text: 'A shop.', by: 'ann' }));
await run.drain();
for (;;) {
  const status = await run.status();
  const open = status.kind === 'waiting' && status.for === 'question' ? status.questions[0] : undefined;
  if (open === undefined) break;
  const input = answered(open.question, { confirmed: true });
  const { approval } = open;
  must(
    await run.submit(`answer ${approval}`, {
      type: 'approval.resolve',
      approval,
      decision: 'change',
      input,
      by: 'ann',
    }),
  );
  await run.drain();
}
const report: ChildReport = {
  status: (await run.status()) as ChildReport['status'],
  hits,
  history: (await run.read()).state.agent.history,
};
await run.close();
await store.close();
process.stdout.write(JSON.stringify(report));

function must<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown },
): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}
