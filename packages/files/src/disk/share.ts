/**
 * Runs a task, one at a time for each key. Who comes while one runs waits for the next run, and all who wait share it:
 * a run covers everybody who came before it began, so the task must not depend on who asks. Holds nothing when idle.
 */
export function shareNext(key: string, task: () => Promise<void>): Promise<void> {
  const line = lines.get(key);
  if (line === undefined) return begin(key, task);
  const next = () => begin(key, task);
  // Registered before anything that the run's end does, so a line with somebody waiting is never given up.
  line.next ??= line.running.then(next, next);
  return line.next;
}

interface Line {
  readonly running: Promise<void>;
  next: Promise<void> | undefined;
}

const lines = new Map<string, Line>();

function begin(key: string, task: () => Promise<void>): Promise<void> {
  const running = task();
  const line: Line = { running, next: undefined };
  lines.set(key, line);
  const settle = (): void => {
    if (line.next === undefined) lines.delete(key);
  };
  running.then(settle, settle);
  return running;
}
