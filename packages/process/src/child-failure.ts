/** Why a program did not start, or was cut off. */
export type ChildFailure =
  /** The program, or the folder that it was to run in, is not there. */
  | { readonly kind: 'missing' }
  /** It is not ours to run. */
  | { readonly kind: 'denied' }
  /** Its command line and environment are more than the system takes. */
  | { readonly kind: 'too-big' }
  /** Its standard input is closed. */
  | { readonly kind: 'closed' }
  /** Its standard output is closed, and it went on running. */
  | { readonly kind: 'mute' }
  /** A line of its output is longer than `limit` bytes. */
  | { readonly kind: 'line'; readonly limit: number }
  /** Anything else that the system says about starting it: `system` is its code, such as EAGAIN. */
  | { readonly kind: 'start'; readonly system: string };

/** One sentence, without a path or a command line in it. */
export function describeFailure(failure: ChildFailure): string {
  switch (failure.kind) {
    case 'missing':
      return 'the program or its working folder is not there';
    case 'denied':
      return 'the program may not be run';
    case 'too-big':
      return 'the command line is longer than the system takes';
    case 'closed':
      return 'the program no longer reads its input';
    case 'mute':
      return 'the program closed its output and went on running';
    case 'line':
      return `the program wrote a line of more than ${failure.limit} bytes`;
    case 'start':
      return `the program could not be started (${failure.system})`;
  }
}

/** Whether the program ran and was cut off; otherwise it never started. */
export const hasRun = ({ kind }: ChildFailure): boolean =>
  kind === 'line' || kind === 'closed' || kind === 'mute';

/** What a failed spawn means. */
export function spawnFailure(error: unknown): ChildFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return BY_CODE[code] ?? { kind: 'start', system: code };
}

const BY_CODE: Readonly<Record<string, ChildFailure>> = {
  ENOENT: { kind: 'missing' },
  ENOTDIR: { kind: 'missing' },
  EACCES: { kind: 'denied' },
  EPERM: { kind: 'denied' },
  E2BIG: { kind: 'too-big' },
};
