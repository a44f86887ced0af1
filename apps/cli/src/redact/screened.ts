import type { Io, Streams } from '../io.js';
import { type Away, toldIn } from './told-json.js';
import { credentialsAway } from './typed-credentials.js';

/** The streams of a call, on which nothing that a command tells holds a credential. */
interface Screened {
  readonly io: Io;
  /** Resolves when all is written. */
  readonly written: () => Promise<void>;
}

/**
 * The one way of a command to whoever reads it: what it prints may repeat what was typed, what a file is called or what
 * stands in it, and whatever another program said. Only `exact` and `exactErr` go by: keys that are made for whoever
 * asks, and bytes that somebody reads back.
 */
export function screened(io: Streams): Screened {
  const { exact = io.out, exactErr = io.err } = io;
  let away: Away | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<Away> => {
    away ??= await credentialsAway();
    return away;
  };
  /** What is told keeps its order, whatever has to be loaded for it. */
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  let waits = 0;
  const errInOrder = (work: () => Promise<void>): void => {
    waits += 1;
    void inOrder(work).finally(() => {
      waits -= 1;
    });
  };
  return {
    io: {
      ...{ cwd: io.cwd, env: io.env, terminal: io.terminal, stop: io.stop, typing: io.typing },
      // Looked up when read: merely touching it opens it.
      get stdin() {
        return io.stdin;
      },
      out: (text) => inOrder(async () => io.out(MAY_HOLD.test(text) ? toldIn(await look(), text) : text)),
      exact: (text) => inOrder(() => exact(text)),
      err: (text) => {
        if (waits === 0 && !MAY_HOLD.test(text)) return io.err(text);
        if (waits === 0 && away !== undefined) return io.err(away(text));
        errInOrder(async () => io.err((await look())(text)));
      },
      exactErr: (text) => (waits === 0 ? exactErr(text) : errInOrder(async () => exactErr(text))),
      ...(io.wait && { wait: io.wait }),
    },
    written: async () => {
      await last;
    },
  };
}

/** So much tells a credential; a shorter word is none. */
const MAY_HOLD = /\S{12}/;
