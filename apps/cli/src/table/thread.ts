import type { Command, Flag } from '../command.js';

/** Flags of `run` that only threads have. */
export const THREAD_RUN_FLAGS: readonly Flag[] = [];

/** Commands of threads. */
export const THREAD_COMMANDS: readonly Command[] = [];
