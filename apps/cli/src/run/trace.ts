import type { RunReport } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import type { Sent, Session, TurnEvent } from '@cuebook/provider';

/** Everything that a run sent and heard, one JSON object a line. */
export interface RunTrace {
  /** The same session, overheard: requests hold exactly the bytes that were sent. */
  readonly overhear: (session: Session) => Session;
  readonly heard: (event: TurnEvent) => void;
  /** What the history keeps of the answer. */
  readonly answered: (report: Pick<RunReport, 'text' | 'detail'>) => void;
  readonly text: () => string;
}

export function createTrace(): RunTrace {
  const lines: string[] = [];
  const add = (type: 'request' | 'message' | 'event', body: object): void => {
    lines.push(JSON.stringify({ seq: lines.length + 1, type, ...body }));
  };
  return {
    overhear: (session) => ({
      turn: (input) =>
        session.turn({
          ...input,
          beforeSend: async (sent) => {
            await input.beforeSend?.(sent);
            add('request', requestOf(sent));
          },
        }),
      close: () => session.close(),
    }),
    heard: (event) => add('event', { event }),
    answered: ({ text, detail: { calls } }) =>
      add('message', { role: 'assistant', content: text, toolCalls: calls }),
    text: () => lines.map((line) => `${line}\n`).join(''),
  };
}

/** Keeps the exact bytes of what was sent, by their hash. */
export function createBodies() {
  const bodies = new Map<string, string>();
  return {
    overhear: (session: Session): Session => ({
      turn: (input) =>
        session.turn({
          ...input,
          beforeSend: async (sent) => {
            await input.beforeSend?.(sent);
            bodies.set(sent.hash, new TextDecoder().decode(sent.bytes));
          },
        }),
      close: () => session.close(),
    }),
    bodyOf: (hash: string): JsonValue | undefined => {
      const body = bodies.get(hash);
      return body === undefined ? undefined : asJson(body);
    },
  };
}

function requestOf({ channel, bytes, hash, ordinal }: Sent): object {
  const body = new TextDecoder().decode(bytes);
  return { channel, hash, ordinal, body: asJson(body) };
}

/** JSON as JSON, everything else as text. */
function asJson(body: string): JsonValue {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return body;
  }
}
