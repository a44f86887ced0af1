import type { CommandHandler } from '../command.js';
import { runAblate } from '../eval/ablate.js';

/** `cuebook ablate`. */
export const run: CommandHandler = runAblate;
