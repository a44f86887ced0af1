import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook platform ACTION`: the platform itself. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'status');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['init', async (call) => (await import('./platform/init.js')).run(call)],
  ['status', async (call) => (await import('./platform/status.js')).status(call)],
  ['root', async (call) => (await import('./platform/status.js')).root(call)],
  ['audit', async (call) => (await import('./platform/status.js')).audit(call)],
  ['token', async (call) => (await import('./platform/token.js')).token(call)],
  ['tokens', async (call) => (await import('./platform/token.js')).tokens(call)],
  ['revoke', async (call) => (await import('./platform/token.js')).revoke(call)],
  ['admit', async (call) => (await import('./platform/admit.js')).admit(call)],
  ['expel', async (call) => (await import('./platform/admit.js')).expel(call)],
  ['place', async (call) => (await import('./platform/place.js')).place(call)],
  ['places', async (call) => (await import('./platform/place.js')).places(call)],
  ['proposals', async (call) => (await import('./platform/place.js')).proposals(call)],
  ['reject', async (call) => (await import('./platform/place.js')).reject(call)],
  ['accept', async (call) => (await import('./platform/place.js')).accept(call)],
  ['join', async (call) => (await import('./platform/place.js')).join(call)],
  ['groups', async (call) => (await import('./platform/groups.js')).groups(call)],
  ['event', async (call) => (await import('./platform/event.js')).event(call)],
  ['feedback', async (call) => (await import('./platform/feedback.js')).feedback(call)],
]);
