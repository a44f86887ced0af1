import type { Redactor } from '@cuebook/prompt';
import type { Session } from '@cuebook/provider';
import type { PerformContext } from '../effect/driver.js';

/** What a turn shows of who may do it, and of how it went. */
export type TurnHold = Pick<PerformContext, 'fence' | 'attempt' | 'signal'>;

/**
 * Whether nobody else can have taken a turn between two turns of this process, and the first of them ended by itself.
 * Tokens count the holders: one that follows at once is of this process, which took the lane again.
 */
export function isSameHold(before: TurnHold, now: TurnHold): boolean {
  const { scope, token } = before.fence;
  const follows = now.fence.token === token || now.fence.token === token + 1;
  return now.fence.scope === scope && follows && now.attempt === 1 && !before.signal.aborted;
}

/** Which session a turn wants. */
export interface HeldSession {
  /** The conversation, and who is spoken to. */
  readonly key: string;
  readonly turn: TurnHold;
  /** What it is opened with; an open session that was opened with another is closed. */
  readonly redactor: Redactor;
}

/** Open sessions, one for each key. */
export interface HeldSessions {
  /** The session of a turn: the open one while it has heard what the run knows, else one that is opened anew. */
  of(wanted: HeldSession, open: () => Session): Promise<Session>;
  close(): Promise<void>;
}

/**
 * Keeps sessions open from turn to turn. Where another process may have taken turns meanwhile, or where a turn is taken
 * again, an open session has heard something else than the run: it is closed, and another goes on from the record.
 */
export function createHeldSessions(): HeldSessions {
  const held = new Map<string, { readonly session: Session; readonly wanted: HeldSession }>();
  return {
    async of(wanted, open) {
      const { key, turn, redactor } = wanted;
      const known = held.get(key);
      const isOwn = known?.wanted.turn === turn;
      const goesOn = known?.wanted.redactor === redactor && (isOwn || isSameHold(known.wanted.turn, turn));
      const session = known !== undefined && goesOn ? known.session : open();
      held.set(key, { session, wanted });
      if (known !== undefined && !goesOn) await known.session.close();
      return session;
    },
    async close() {
      const open = [...held.values()];
      held.clear();
      await Promise.all(open.map(({ session }) => session.close()));
    },
  };
}
