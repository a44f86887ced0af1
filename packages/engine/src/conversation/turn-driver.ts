import type { RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import type { Session } from '@cuebook/provider';
import type { Driver } from '../effect/driver.js';
import type { EffectIntent } from '../machine.js';
import type { Conversation } from './conversation.js';
import type { TurnHold } from './held-sessions.js';
import type { PortError } from './turn/run-port.js';
import { type ComposedTurn, type TakeTurnOptions, type TurnTry, takeTurn } from './turn/take-turn.js';

export interface TurnDriverOptions<State = Conversation> extends TakeTurnOptions<State> {
  /** The prompt of the turn. A refusal is the turn's failure, and nothing is sent. */
  readonly compose: (effect: EffectIntent, run: RunId) => Promise<Result<ComposedTurn, PortError>>;
  /** The session to speak through; whoever opens it closes it. */
  readonly session: (effect: EffectIntent, turn: TurnHold) => Session | Promise<Session>;
  /** Who the session speaks to, as far as it is known before the turn says it; a function where that differs by turn. */
  readonly voice: TurnTry['voice'] | ((effect: EffectIntent) => TurnTry['voice']);
}

/** Does `model.turn`: composes, and takes the turn. */
export function createTurnDriver<State = Conversation>(options: TurnDriverOptions<State>): Driver {
  return {
    beginsLate: true,
    async perform(effect, context) {
      const run = context.run as RunId;
      const composed = await options.compose(effect, run);
      if (!composed.ok) return { ok: false, error: composed.error };
      const session = await options.session(effect, context);
      const voice = typeof options.voice === 'function' ? options.voice(effect) : options.voice;
      return takeTurn(options, { effect, context, composed: composed.value, session, voice });
    },
  };
}
