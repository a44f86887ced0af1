import type { Io } from '../io.js';

/** How a program calls: nobody reads along, nobody is asked, nothing is printed. */
export function quietIo({
  cwd,
  env,
  signal,
}: {
  cwd: string;
  env: Io['env'];
  signal?: AbortSignal | undefined;
}): Io {
  return {
    cwd,
    env,
    out: async () => undefined,
    exact: async () => undefined,
    exactErr: () => undefined,
    err: () => undefined,
    stdin: nothing(),
    terminal: { in: false, out: false, err: false },
    stop: signal ?? new AbortController().signal,
    typing: { program: 'cuebook' },
  };
}

async function* nothing(): AsyncIterable<Uint8Array> {}
