import type { RunId } from '@cuebook/journal';

/** The kind of a thread that a command runs: each is a kind of its own, so that processes do not wait for each other. */
export const threadKind = (run: RunId): string => `thread/${run}`;
