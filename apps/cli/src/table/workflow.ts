import type { Command, Flag } from '../command.js';

/** Flags of `run` that only workflows have. */
export const WORKFLOW_RUN_FLAGS: readonly Flag[] = [];

/** Commands of workflows. */
export const WORKFLOW_COMMANDS: readonly Command[] = [];
