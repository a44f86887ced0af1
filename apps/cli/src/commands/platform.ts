import type { CommandHandler } from '../command.js';
import { runAction } from '../platform/action.js';

/** `cuebook platform ACTION`: the platform itself. */
export const run: CommandHandler = (call) => runAction(call, ACTIONS, 'status');

const ACTIONS: ReadonlyMap<string, CommandHandler> = new Map<string, CommandHandler>([
  ['init', async (call) => (await import('./platform/init.js')).run(call)],
  ['status', async (call) => (await import('./platform/status.js')).status(call)],
  ['renew', async (call) => (await import('./platform/renew.js')).renew(call)],
  ['health', async (call) => (await import('./platform/health.js')).health(call)],
  ['fleet', async (call) => (await import('./platform/fleet.js')).fleet(call)],
  ['rotate', async (call) => (await import('./platform/rotate.js')).rotate(call)],
  ['extend', async (call) => (await import('./platform/rotate.js')).extend(call)],
  ['key', async (call) => (await import('./platform/sign.js')).key(call)],
  ['sign', async (call) => (await import('./platform/sign.js')).sign(call)],
  ['apply', async (call) => (await import('./platform/sign.js')).apply(call)],
  ['root', async (call) => (await import('./platform/status.js')).root(call)],
  ['audit', async (call) => (await import('./platform/status.js')).audit(call)],
  ['token', async (call) => (await import('./platform/token.js')).token(call)],
  ['tokens', async (call) => (await import('./platform/token.js')).tokens(call)],
  ['revoke', async (call) => (await import('./platform/token.js')).revoke(call)],
  ['invite', async (call) => (await import('./platform/invite.js')).invite(call)],
  ['admit', async (call) => (await import('./platform/admit.js')).admit(call)],
  ['expel', async (call) => (await import('./platform/admit.js')).expel(call)],
  ['place', async (call) => (await import('./platform/place.js')).place(call)],
  ['places', async (call) => (await import('./platform/place.js')).places(call)],
  ['proposals', async (call) => (await import('./platform/place.js')).proposals(call)],
  ['reject', async (call) => (await import('./platform/place.js')).reject(call)],
  ['accept', async (call) => (await import('./platform/place.js')).accept(call)],
  ['join', async (call) => (await import('./platform/place.js')).join(call)],
  ['groups', async (call) => (await import('./platform/groups.js')).groups(call)],
  ['schedule', async (call) => (await import('./platform/schedule.js')).schedule(call)],
  ['event', async (call) => (await import('./platform/event.js')).event(call)],
  ['feedback', async (call) => (await import('./platform/feedback.js')).feedback(call)],
]);
