import type { Call, CommandHandler } from '../command.js';
import { usage } from '../failure.js';

/** Runs the action that the first argument names; a near miss is told. */
export async function runAction(
  call: Call,
  actions: ReadonlyMap<string, CommandHandler>,
  otherwise: string,
): Promise<number> {
  const [name = otherwise, ...args] = call.args;
  const action = actions.get(name);
  if (action !== undefined) return action({ ...call, args });
  const { unknownAction } = await import('../input/one-of.js');
  throw unknownAction(name, [...actions.keys()]);
}

/** The one argument of an action, and no more. */
export function oneArgument({ args }: Pick<Call, 'args'>, what: string): string {
  const [one, ...more] = args;
  if (one === undefined || more.length > 0) throw usage(`Name ${what}`);
  return one;
}
