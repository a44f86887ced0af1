import { readProcesses } from '../scripts/family/process-table.mjs';

/** Whether a process runs. One that ended and that nobody has asked about yet does not. */
export const isRunning = (pid: number): boolean => readProcesses().some((row) => row.pid === pid);
