import { type ReactNode, useEffect, useState } from 'react';
import { useConnection } from '../wire/connection.js';

/** A thin line on top while the server does not answer, with the time since. */
export function ConnectionLine(): ReactNode {
  const { state, since } = useConnection();
  const seconds = useSeconds(state === 'lost' ? since : undefined);
  if (state !== 'lost') return null;
  return (
    <div className="lost-line" role="status">
      The server does not answer (for {seconds} s). What you see is how it was; the page continues by itself.
    </div>
  );
}

/** Whether what is shown is how it is now. */
export function LiveState(): ReactNode {
  const { state } = useConnection();
  const words = { unknown: 'connecting', live: 'live', lost: 'not live', refused: 'no access' }[state];
  return (
    <span className={`live-state ${state}`} role="status">
      <span aria-hidden="true">{state === 'live' ? '●' : '○'}</span> {words}
    </span>
  );
}

function useSeconds(since: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [since]);
  return since === undefined ? 0 : Math.max(0, Math.round((now - since) / 1_000));
}
