import type { Events } from '../event.js';
import type { Frame, Hooking } from '../frame.js';
import type { Parts } from '../parts.js';

/** An effect about a conversation. It changes nothing in the world but what hooks do, and may be done again. */
export const intend = (
  { id }: Frame,
  kind: Hooking['kind'],
  about: readonly string[],
  { context }: Parts,
): Events[number] => ({
  type: 'effect.intended',
  data: { id: context.newId('eff'), kind, lane: id, input: { frame: id, about }, onCrash: 'repeat' },
});
