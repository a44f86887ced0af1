import { announce } from './children.js';
import { send } from './process-tree.js';

/** The children that run now: if this process ends in an orderly way, they are asked to end too. */
const running = new Set<number>();

export function remember(pid: number | undefined): void {
  if (pid === undefined) return;
  if (running.size === 0) process.on('exit', endAll);
  running.add(pid);
  announce(pid);
}

export function forget(pid: number | undefined): void {
  if (pid === undefined || !running.delete(pid)) return;
  if (running.size === 0) process.off('exit', endAll);
}

function endAll(): void {
  for (const pid of running) send(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
}
