import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunId } from '@cuebook/journal';
import { isOver, nodesOf, type TeamState } from '../../src/run/state.js';
import { hostStand } from '../host-stand.js';
import { SERVED, scriptFor, TEAM, WORLD, worldLines } from './scenario.js';
import type { ChildTask } from './task.js';

/** A process of its own that hosts one run to its end, and kills itself where it was told to. */
const { root, leaseMs, kill } = JSON.parse(process.argv[2] ?? '') as ChildTask;
let hits = 0;
const die = (isHere: boolean): void => {
  if (!isHere) return;
  hits += 1;
  if (hits === kill?.hit) process.kill(process.pid, 'SIGKILL');
};
const inStore = (when: 'before' | 'after') => (point: string) =>
  die(kill?.part === 'store' && kill.when === when && kill.point === point);
const inPart = (part: 'engine' | 'host' | 'workspace') => (point: string) =>
  die(kill?.part === part && kill.point === point);

const stand = await hostStand({
  root,
  limits: { leaseMs },
  fault: { before: inStore('before'), after: inStore('after') },
});
const host = await stand.open({
  fault: { engine: inPart('engine'), host: inPart('host'), workspace: inPart('workspace') },
});
const begun = await host.startRun({
  id: 'the run',
  by: 'ann',
  team: { text: TEAM },
  script: scriptFor(root),
});
if (!begun.ok) throw new Error(JSON.stringify(begun.error));
await toTheEnd(begun.value.run);
await stand.stopAll('wait');
await stand.store.close();
process.exit(0);

async function toTheEnd(run: RunId): Promise<void> {
  for (;;) {
    await host.drain();
    const read = await host.read(run);
    if (!read.ok) throw new Error(read.error.code);
    const { state } = read.value;
    // What nobody can observe waits for a person, who looks whether it was done.
    for (const effect of state.doubts) {
      const outcome = wasDone(run, state, effect) ? { ok: true, output: 'It was done.' } : 'not-done';
      const resolve = { type: 'effect.resolve', effect, outcome, by: 'ann' } as const;
      await host.submit(run, { ...resolve, id: `resolve ${effect} ${read.value.seq}` });
    }
    const isBusy = Object.values(state.nodes).some(({ work }) => work !== null);
    if (isOver(state) && !isBusy) return;
    await wait(10);
  }
}

/** Each act that nobody can observe leaves a trace: a line in a log, or a file in a workspace. */
function wasDone(run: RunId, state: TeamState, effect: string): boolean {
  const found = nodesOf(state).find(({ work }) => work?.calls.some((call) => call.effect === effect));
  if (found?.node.alias === 'b') return worldLines(root, [WORLD]).length > 0;
  if (found?.node.alias === 'd') return worldLines(root, [SERVED]).length > 0;
  return existsSync(join(stand.homeFolder, 'workspaces', run, found?.node.id ?? '', 'src', 'not-mine.ts'));
}
