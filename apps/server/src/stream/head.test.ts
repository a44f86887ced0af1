import { API_BASE } from '@cuebook/api';
import { createRedactor, ok } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { createApp } from '../http/app.js';
import { ownerAuth } from '../http/auth.js';

const TOKEN = 'x'.repeat(32);

/** An app whose streams say whether somebody still follows. */
function app() {
  const open = new Set<string>();
  const stream = (name: string, signal: AbortSignal): ReadableStream<Uint8Array> => {
    open.add(name);
    signal.addEventListener('abort', () => open.delete(name), { once: true });
    return new ReadableStream<Uint8Array>({ cancel: () => void open.delete(name) });
  };
  const http = createApp({
    gate: { auth: ownerAuth(TOKEN), isOwnHost: () => true },
    groups: [],
    news: { open: async (signal) => stream('news', signal), close: () => undefined },
    events: {
      open: async (run, { signal }) => ok(stream(run, signal)),
      size: () => open.size,
      close: () => undefined,
    },
    onProblem: () => undefined,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  });
  return { http, open };
}

describe('who asks only for the head of a stream', () => {
  it.each(['/news', '/runs/run_a/events'])('leaves nobody who follows: %s', async (path) => {
    const { http, open } = app();
    const answer = await http.request(`${API_BASE}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${TOKEN}`, host: '127.0.0.1' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(answer.body).toBe(null);
    expect([...open]).toEqual([]);
  });
});
