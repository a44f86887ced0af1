import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook experiment ACTION`: two versions of a scenario side by side, from the plan to the result. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['list', async (call) => (await import('./experiment/show.js')).list(call)],
  ['show', async (call) => (await import('./experiment/show.js')).show(call)],
  ['plan', async (call) => (await import('./experiment/start.js')).plan(call)],
  ['start', async (call) => (await import('./experiment/start.js')).start(call)],
  ['end', async (call) => (await import('./experiment/start.js')).end(call)],
  ['count', async (call) => (await import('./experiment/count.js')).count(call)],
  ['step', async (call) => (await import('./experiment/step.js')).step(call)],
]);
