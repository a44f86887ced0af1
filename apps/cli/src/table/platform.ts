import type { Command } from '../command.js';

/** Commands of the platform and of its agents. */
export const PLATFORM_COMMANDS: readonly Command[] = [];
