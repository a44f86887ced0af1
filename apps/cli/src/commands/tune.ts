import type { CommandHandler } from '../command.js';
import { runTuneCommand } from '../eval/tune/command.js';

/** `cuebook tune`. */
export const run: CommandHandler = runTuneCommand;
