import type { CommandHandler } from '../command.js';
import { runJudge } from '../eval/judge/command.js';

/** `cuebook judge`. */
export const run: CommandHandler = runJudge;
