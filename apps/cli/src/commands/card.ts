import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook card ACTION`: cards from the first word to the decision. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['new', async (call) => (await import('./card/new.js')).run(call)],
  ['edit', async (call) => (await import('./card/edit.js')).run(call)],
  ['export', async (call) => (await import('./card/export.js')).run(call)],
  ['submit', async (call) => (await import('./card/submit.js')).run(call)],
  ['list', async (call) => (await import('./card/list.js')).list(call)],
  ['show', async (call) => (await import('./card/list.js')).show(call)],
  ['review', async (call) => (await import('./card/review.js')).review(call)],
  ['approve', async (call) => (await import('./card/review.js')).approve(call)],
  ['renew', async (call) => (await import('./card/review.js')).renew(call)],
  ['reject', async (call) => (await import('./card/review.js')).reject(call)],
]);
