import type { CommandHandler } from '../command.js';
import { runEval } from '../eval/command.js';

/** `cuebook eval`. */
export const run: CommandHandler = (call) => runEval(call, 'eval');
