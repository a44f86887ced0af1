import type { CommandHandler } from '../command.js';
import { runEval } from '../eval/command.js';

/** `cuebook compare`. */
export const run: CommandHandler = (call) => runEval(call, 'compare');
