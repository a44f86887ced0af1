/** How often is looked whether the client lives. */
const EVERY_MS = 3_000;

/**
 * Calls `gone` when the process of a client is no more, even where somebody else holds its side of the streams open.
 * Answers what ends that. A process that cannot be seen from the start, as from inside of a container, is not looked for.
 */
export function whenClientIsGone(processId: number | null, gone: () => void): () => void {
  if (processId === null || !isAlive(processId)) return () => undefined;
  const timer = setInterval(() => {
    if (isAlive(processId)) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // One of another user lives too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
