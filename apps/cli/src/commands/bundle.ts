import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook bundle ACTION`: what agents are told, from approval to the store. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'list');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['publish', async (call) => (await import('./bundle/publish.js')).publish(call)],
  ['renew', async (call) => (await import('./platform/renew.js')).renew(call)],
  ['list', async (call) => (await import('./bundle/show.js')).list(call)],
  ['show', async (call) => (await import('./bundle/show.js')).show(call)],
  ['verify', async (call) => (await import('./bundle/show.js')).verify(call)],
  ['keys', async (call) => (await import('./bundle/keys.js')).keys(call)],
  ['rotate', async (call) => (await import('./platform/rotate.js')).rotate(call)],
]);
