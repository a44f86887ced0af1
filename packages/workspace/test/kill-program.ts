import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspacePoint } from '../src/contract.js';
import { createWorkspaces } from '../src/workspaces.js';

/** What the child is told. */
export interface KillTask {
  readonly project: string;
  /** Where outcomes and artifacts are written: outside the project. */
  readonly log: string;
  /** Dies at this point, when it comes there. */
  readonly kill: WorkspacePoint | null;
}

/** A process that goes through the life of a workspace, and does again what has no outcome in its log. */
const { project, log, kill } = JSON.parse(process.argv[2] ?? '{}') as KillTask;
const workspaces = createWorkspaces({
  project,
  home: join(project, '.cuebook'),
  env: { PATH: process.env.PATH ?? '', HOME: log },
  redact: (text) => text,
  keep: async (_run, text) => {
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(log, hash), text);
    return hash;
  },
  fault: (point) => {
    if (point === kill) process.kill(process.pid, 'SIGKILL');
  },
});
const node = { id: 'node_a', workspace: 'own' as const };
const at = { run: 'run_1', node, turn: 1 };

await once('prepare', () => workspaces.prepare(at, { setup: 'echo set-up > made.txt' }));
await once('turn', async () => {
  const folder = workspaces.folderOf('run_1', node);
  writeFileSync(join(folder, 'a.txt'), 'by the node\n');
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  writeFileSync(join(folder, 'secret.ts'), 'not allowed\n');
  rmSync(join(folder, 'gone.txt'), { force: true });
  return { ok: true, value: null };
});
await once('take', () => workspaces.take(at));
await once('aside', () => workspaces.setAside(at, ['gone.txt', 'secret.ts']));
await once('apply', async () => {
  const applied = await workspaces.apply({ run: 'run_1' });
  // After a kill half-way there is less left to do; that it is done is what counts.
  return applied.ok ? { ok: true, value: applied.value.conflicts } : applied;
});
await once('clean', async () => {
  const cleaned = await workspaces.clean({ run: 'run_1' });
  const isGone = !cleaned.ok && cleaned.error.code === 'E_WORKSPACE_UNKNOWN';
  return isGone || cleaned.ok ? { ok: true, value: cleaned.ok ? cleaned.value.kept : [] } : cleaned;
});

async function once(
  name: string,
  act: () => Promise<{ readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }>,
): Promise<void> {
  const file = join(log, `outcome-${name}`);
  if (existsSync(file)) return;
  const outcome = await act();
  if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome.error)}`);
  const { value } = outcome;
  const { folder: _, fresh: __, ...rest } = (value ?? {}) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(Array.isArray(value) ? value : rest));
}
