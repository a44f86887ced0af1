import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { guard } from '@cuebook/guard';
import { linesOf } from '../input/lines.js';
import type { Io } from '../io.js';

/** In bytes. A longer line is answered with an error and not kept. */
export const MAX_MESSAGE = 8 * 1024 * 1024;

/**
 * Standard input and output as the protocol's library takes them: a JSON message a line. What is no message is answered
 * with an error here, and the connection stays. It ends when the input ends or somebody stops it.
 */
export function lineStream({ stdin, out, stop }: Pick<Io, 'stdin' | 'out' | 'stop'>): Stream {
  const say = (message: object): Promise<void> => out(`${JSON.stringify(message)}\n`);
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
          else controller.enqueue(message.value);
        }
      };
      await Promise.race([listen(), stopped]);
      controller.close();
    },
  });
  return { readable, writable: new WritableStream<AnyMessage>({ write: say }) };
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
