import { expect, it } from 'vitest';
import { readText } from './read-body.js';

const post = (body: BodyInit) =>
  new Request('http://127.0.0.1/', { method: 'POST', body, duplex: 'half' } as RequestInit);
const never = new AbortController().signal;

it('reads a body within its bounds', async () => {
  expect(await readText(post('Grüße'), { limit: 7, signal: never })).toEqual({ ok: true, value: 'Grüße' });
});

it('gives up one that does not end in time', async () => {
  const stop = new AbortController();
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(' '));
      stop.abort();
    },
  });
  expect(await readText(post(endless), { limit: 100, signal: stop.signal })).toMatchObject({
    ok: false,
    error: { status: 408, code: 'E_REQUEST_TIME' },
  });
});

it('gives up one that is longer than it says', async () => {
  const long = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(60)) });
  expect(await readText(post(long), { limit: 100, signal: never })).toMatchObject({
    ok: false,
    error: { status: 413 },
  });
});
