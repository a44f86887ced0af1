import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook library ACTION`: versions of scenarios from the first word to the signature. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['list', async (call) => (await import('./library/list.js')).list(call)],
  ['show', async (call) => (await import('./library/list.js')).show(call)],
  ['verify', async (call) => (await import('./library/verify.js')).verify(call)],
  ['diff', async (call) => (await import('./library/diff.js')).diff(call)],
  ['new', async (call) => (await import('./library/new.js')).run(call)],
  ['review', async (call) => (await import('./library/review.js')).review(call)],
  ['approve', async (call) => (await import('./library/review.js')).approve(call)],
  ['reject', async (call) => (await import('./library/review.js')).reject(call)],
  ['request', async (call) => (await import('./library/sign.js')).request(call)],
  ['sign', async (call) => (await import('./library/sign.js')).sign(call)],
  ['publish', async (call) => (await import('./library/sign.js')).publish(call)],
  ['pin', async (call) => (await import('./library/pin.js')).pin(call)],
  ['rollback', async (call) => (await import('./library/pin.js')).rollback(call)],
  ['retire', async (call) => (await import('./library/pin.js')).retire(call)],
]);
