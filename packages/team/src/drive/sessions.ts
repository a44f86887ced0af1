import { type Clock, isSameHold, type TurnHold } from '@cuebook/engine';
import type { Provider, Session, SessionOptions } from '@cuebook/provider';

/** What a turn wants to speak through. */
export interface WantedSession {
  readonly provider: Provider;
  readonly options: SessionOptions & { readonly cwd: string };
  /** The session that has heard all before; `null`: a new one. */
  readonly goesOn: string | null;
  readonly turn: TurnHold;
}

/** The open sessions of nodes, one for each. A session that is not used for a while is closed, and resumed by its id. */
export interface Sessions {
  open(key: string, wanted: WantedSession): Promise<Session>;
  /** The turn is over; the session is now called so. */
  rest(key: string, sessionId: string | undefined): void;
  close(key: string): Promise<void>;
  /** Those whose key begins so. */
  closeAll(prefix?: string): Promise<void>;
}

interface Entry {
  readonly session: Session;
  readonly settings: string;
  readonly turn: TurnHold;
  id: string | undefined;
  cancelIdle: () => void;
}

export function createSessions({
  clock,
  idleMs,
}: {
  readonly clock: Clock;
  readonly idleMs: number;
}): Sessions {
  const entries = new Map<string, Entry>();
  const close = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    entries.delete(key);
    entry?.cancelIdle();
    await entry?.session.close();
  };
  return {
    async open(key, { provider, options, goesOn, turn }) {
      const { model = null, cwd, access, ask } = options;
      const settings = JSON.stringify([provider.name, model, cwd, access, ask]);
      const known = entries.get(key);
      const isHeard = known !== undefined && known.id === goesOn && isSameHold(known.turn, turn);
      if (known && isHeard && goesOn !== null && known.settings === settings) {
        known.cancelIdle();
        entries.set(key, { ...known, turn });
        return known.session;
      }
      await close(key);
      const session = provider.open({ ...options, ...(goesOn === null ? {} : { resume: goesOn }) });
      entries.set(key, { session, settings, turn, id: goesOn ?? undefined, cancelIdle: () => undefined });
      return session;
    },
    rest(key, sessionId) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.id = sessionId ?? entry.id;
      entry.cancelIdle = clock.at(clock.now() + idleMs, () => void close(key));
    },
    close,
    async closeAll(prefix = '') {
      await Promise.all([...entries.keys()].filter((key) => key.startsWith(prefix)).map(close));
    },
  };
}
