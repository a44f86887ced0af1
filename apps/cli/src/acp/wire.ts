import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { guard } from '@cuebook/guard';
import { linesOf } from '../input/lines.js';
import type { Io } from '../io.js';
import { type MessageWriter, messageWriter } from '../redact/told-message.js';

/** In bytes. A longer line is answered with an error and not kept. */
export const MAX_MESSAGE = 8 * 1024 * 1024;

/** A stream, and when all that was said on it is written. */
export type LineStream = Stream & Pick<MessageWriter, 'written'>;

/**
 * Standard input and output as the protocol's library takes them: a JSON message a line. What is no message is answered
 * with an error here, and the connection stays. It ends when somebody stops it, or when the input has ended and what
 * was asked is answered.
 */
export function lineStream({ stdin, exact, stop }: Pick<Io, 'stdin' | 'exact' | 'stop'>): LineStream {
  const { say, written } = messageWriter({ exact });
  const open = openRequests();
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      const listen = async (): Promise<void> => {
        for await (const line of linesOf(stdin, MAX_MESSAGE)) {
          if (stop.aborted) return;
          if (line?.length === 0) continue;
          const message = line === undefined ? TOO_LONG : parse(line);
          if ('refused' in message) await say(message.refused);
          else {
            open.asked(message.value);
            controller.enqueue(message.value);
          }
        }
        await open.none();
      };
      await Promise.race([listen(), stopped]);
      controller.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      open.answered(message);
      return say(message);
    },
  });
  return { readable, writable, written };
}

/** Requests that the library has not answered yet. A prompt is none: whoever ends the input does not wait for it. */
function openRequests() {
  const ids: unknown[] = [];
  let rest: () => void = () => undefined;
  return {
    asked(message: AnyMessage): void {
      if (!('method' in message && 'id' in message) || message.jsonrpc !== '2.0') return;
      const { id, method } = message;
      const isAnswered = typeof id === 'string' || typeof id === 'number';
      if (isAnswered && typeof method === 'string' && method !== 'session/prompt') ids.push(id);
    },
    answered(message: AnyMessage): void {
      const at = 'method' in message ? -1 : ids.indexOf(message.id);
      if (at >= 0) ids.splice(at, 1);
      if (ids.length === 0) rest();
    },
    none: (): Promise<void> =>
      new Promise((resolve) => {
        rest = resolve;
        if (ids.length === 0) resolve();
      }),
  };
}

type Parsed = { readonly value: AnyMessage } | { readonly refused: object };

const refused = (code: number, message: string): { readonly refused: object } => ({
  refused: { jsonrpc: '2.0', id: null, error: { code, message } },
});

const TOO_LONG = refused(-32600, `E_LINE The message has more than ${MAX_MESSAGE} bytes`);
const NO_JSON = refused(-32700, 'Parse error: a message is one line of JSON in UTF-8');
const NO_OBJECT = refused(-32600, 'Invalid request: a message is one JSON object');
const TOO_DEEP = refused(-32600, `Invalid request: a message is nested at most 200 deep`);

/** JSON that is nested deeper would end the stack of whoever walks it. */
const MAX_DEPTH = 200;

function parse(line: Uint8Array): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return NO_JSON;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_OBJECT;
  if (guard('acp.depth', isDeeper(value, MAX_DEPTH))) return TOO_DEEP;
  return { value: value as AnyMessage };
}

/** Whether a value is nested deeper than so many levels. It keeps its own list, and so has no stack to end. */
function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
