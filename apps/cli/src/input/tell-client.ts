import type { Io } from '../io.js';

/** Says to a person who typed a command that programs start what it waits for. */
export function tellClient(
  { terminal, err }: Pick<Io, 'terminal' | 'err'>,
  waits: string,
  protocol: string,
): void {
  if (terminal.in)
    err(`${waits}, which starts it by itself and speaks ${protocol} on standard input. Stop with Ctrl-C.\n`);
}
