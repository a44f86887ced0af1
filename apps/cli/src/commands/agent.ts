import type { CommandHandler } from '../command.js';
import { unknownAction } from '../input/one-of.js';
import { rehearseDay } from '../resident/day.js';
import { exportAgent } from '../resident/export.js';
import { initAgent } from '../resident/init.js';
import { tellKey } from '../resident/key.js';
import { doAsked, liveAgent } from '../resident/live.js';
import { tellAgent } from '../resident/status.js';

/** `cuebook agent`: lives an agent's life, tells of it, or rehearses a day of three. */
export const run: CommandHandler = async (call) => {
  const action = call.args[0] ?? 'live';
  const handler = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (handler !== undefined) return handler(call);
  throw unknownAction(action, Object.keys(ACTIONS));
};

const ACTIONS: Readonly<Record<string, CommandHandler>> = {
  init: initAgent,
  key: tellKey,
  export: exportAgent,
  live: liveAgent,
  do: doAsked,
  status: tellAgent,
  day: rehearseDay,
};
