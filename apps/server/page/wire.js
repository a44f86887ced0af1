// Asks the server. The token is kept for this tab alone, and goes out in a header: a cookie would be sent to every
// port of this host, whoever listens there.

const KEY = 'cuebook.token';
const BASE = '/api/v1';

/** Takes the token out of the address, so that it is in no history and in no link that is copied. */
export function takeToken() {
  const found = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (found !== undefined) {
    sessionStorage.setItem(KEY, found);
    history.replaceState(null, '', '#/');
  }
  return sessionStorage.getItem(KEY) !== null;
}

const headers = () => ({ authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}` });

/** A failure with the words of the server. */
export class Refused extends Error {
  constructor({ code, message }, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Asks, and rejects with `Refused` when the answer is a no. */
export async function ask(path, body) {
  const response = await fetch(BASE + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? headers() : { ...headers(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify({ id: crypto.randomUUID(), ...body }) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error, response.status);
  return answer;
}

/** Follows a run from a cursor, through lost connections, until the signal fires. */
export async function follow(run, { after, signal, onEvent, onLive, onState }) {
  let cursor = after;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const response = await fetch(`${BASE}/runs/${encodeURIComponent(run)}/events?after=${cursor}`, {
        headers: headers(),
        signal,
      });
      if (!response.ok) throw new Refused((await response.json()).error, response.status);
      onState('live');
      failures = 0;
      for await (const { id, event, data } of messages(response.body)) {
        if (event === 'live') onLive(JSON.parse(data));
        if (event !== 'event' || Number(id) !== cursor + 1) continue;
        cursor += 1;
        onEvent(JSON.parse(data));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && error.status < 500) throw error;
      onState('connection lost, trying again');
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** failures, 5000)));
  }
}

async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(
        part.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]),
      );
      if (fields.has('data'))
        yield { id: fields.get('id'), event: fields.get('event'), data: fields.get('data') };
    }
  }
}
