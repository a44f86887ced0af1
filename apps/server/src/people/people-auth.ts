import type { Clock } from '@cuebook/engine';
import { type People, rolesOf } from '@cuebook/host';
import type { Auth, Principal } from '../http/auth.js';

/** The tokens of people, and the streams that were opened with them. */
export interface PeopleAuth extends Auth {
  close(): void;
}

/**
 * Counts the tokens of a project's people. A stream lives no longer than the token that it was opened with: it ends when
 * the token is revoked or expires, at whichever server that was said, and when nobody can say any more whether it counts.
 */
export function createPeopleAuth(
  people: People,
  onProblem: (error: unknown) => void,
  clock: Clock,
): PeopleAuth {
  const streams = new Set<{ readonly who: Principal; readonly token: string; readonly end: () => void }>();
  const over = new AbortController();
  let listening: AbortController | undefined;

  const endInvalid = async (): Promise<void> => {
    for (const { who, token, end } of [...streams]) if (!(await people.isValid(who.name, token))) end();
  };
  /** Listens while somebody has a stream. */
  const listen = (): void => {
    if (listening !== undefined) return;
    const stop = new AbortController();
    listening = stop;
    const hear = async () => {
      for await (const _ of people.changes(AbortSignal.any([stop.signal, over.signal]))) await endInvalid();
    };
    hear()
      .catch(onProblem)
      .finally(() => {
        if (listening === stop) listening = undefined;
        // Nobody hears of revoked tokens any more. Whoever follows comes back, and is looked at again.
        if (!stop.signal.aborted) for (const { end } of [...streams]) end();
      });
  };

  return {
    async identify(text) {
      const found = await people.identify(text);
      if (found === undefined) return undefined;
      const { name, role, token, expiresAt } = found;
      return { name, roles: rolesOf(role), token, ...(expiresAt === undefined ? {} : { expiresAt }) };
    },
    whileValid(who, signal) {
      const { token, expiresAt } = who;
      if (token === undefined) return signal;
      const ended = new AbortController();
      const stream = { who, token, end: () => ended.abort() };
      const cancel = expiresAt === undefined ? undefined : clock.at(expiresAt, stream.end);
      const leave = () => {
        cancel?.();
        streams.delete(stream);
        if (streams.size > 0) return;
        listening?.abort();
        listening = undefined;
      };
      streams.add(stream);
      listen();
      // It may have been revoked between the look at the token and now.
      people.isValid(who.name, token).then((isValid) => isValid || stream.end(), stream.end);
      const any = AbortSignal.any([signal, ended.signal, over.signal]);
      if (any.aborted) leave();
      else any.addEventListener('abort', leave, { once: true });
      return any;
    },
    close: () => over.abort(),
  };
}
