import { onTestFinished } from 'vitest';
import { cuebook } from './cuebook.js';

/** A server of the project in a folder, up until the test is over. */
export async function serverUp(cwd: string): Promise<void> {
  const end = new AbortController();
  let printed = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    printed = resolve;
  });
  const up = cuebook(['up', '--json'], { cwd, stop: end.signal, onPrint: () => printed() });
  await ready;
  onTestFinished(async () => {
    end.abort();
    await up;
  });
}
