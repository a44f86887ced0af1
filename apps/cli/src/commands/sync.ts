import type { CommandHandler } from '../command.js';
import { syncAgent } from '../resident/sync.js';

/** `cuebook sync`: takes what the platform has for the agent of this folder. */
export const run: CommandHandler = syncAgent;
