import { nearest } from '@cuebook/prompt';
import type { CommandHandler } from '../command.js';
import { usage } from '../failure.js';
import { rehearseDay } from '../resident/day.js';
import { tellKey } from '../resident/key.js';
import { liveAgent } from '../resident/live.js';
import { tellAgent } from '../resident/status.js';

/** `cuebook agent`: lives an agent's life, tells of it, or rehearses a day of three. */
export const run: CommandHandler = async (call) => {
  const action = call.args[0] ?? 'live';
  const handler = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (handler !== undefined) return handler(call);
  const meant = nearest(action, Object.keys(ACTIONS));
  throw usage(
    `No action is called "${action}". ${meant === undefined ? 'There are: live, status, key, day' : `Did you mean ${meant}?`}`,
  );
};

const ACTIONS: Readonly<Record<string, CommandHandler>> = {
  key: tellKey,
  live: liveAgent,
  status: tellAgent,
  day: rehearseDay,
};
