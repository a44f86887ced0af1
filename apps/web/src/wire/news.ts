import { useEffect } from 'react';
import { noteConnection } from './connection.js';
import { lookAgain } from './queries.js';
import { server } from './server.js';

/** How long further news are waited for before lists are looked at, in milliseconds. */
const TOGETHER_MS = 100;

/** Looks at lists again whenever something happens in any run, in whichever process. */
export function useNews(): void {
  useEffect(() => {
    const stop = new AbortController();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        void lookAgain();
      }, TOGETHER_MS);
    };
    const hear = async () => {
      for await (const news of server.watch({ signal: stop.signal })) {
        if (news.type === 'ready' || news.type === 'changed') {
          noteConnection('live');
          look();
        } else noteConnection(news.type === 'failed' && news.error.status === 401 ? 'refused' : 'lost');
      }
    };
    void hear();
    return () => {
      stop.abort();
      clearTimeout(soon);
    };
  }, []);
}
