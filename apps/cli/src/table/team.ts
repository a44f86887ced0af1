import type { Command, Flag } from '../command.js';

/** Flags of `run` that only teams have. */
export const TEAM_RUN_FLAGS: readonly Flag[] = [];

/** Commands of teams. */
export const TEAM_COMMANDS: readonly Command[] = [];
