import type { RunId } from '@cuebook/journal';

/** The kind of the work of one thread: each has its own, so that processes do not wait for each other. */
export const threadKind = (run: RunId): string => `thread/${run}`;
