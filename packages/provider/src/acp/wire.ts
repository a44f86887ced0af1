import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk';
import type { Child } from '@cuebook/process';
import { type Fields, fieldsOf, isFields, parseLine } from '../agent/fields.js';

export interface WireOptions {
  /**
   * Waited for before each write, with the line that is about to be written; only its folder is named `.`. A
   * rejection means that nothing is written: a request is then answered as failed, and the wire stays whole.
   */
  readonly gate: (line: string, message: AnyMessage) => Promise<void>;
  /** Every line that comes, before it is looked at. */
  readonly onLine: (line: string) => void;
  /** A request for something that agents are not given: files and terminals of ours. It is refused. */
  readonly onRequest: (method: string) => void;
  /** News of a session. The library would check them against what it knows, and agents have kinds of their own. */
  readonly onUpdate: (params: Fields) => void;
}

/** The agent's standard streams as the protocol's library takes them: a message a line. */
export function childWire(child: Child, { gate, onLine, onRequest, onUpdate }: WireOptions): Stream {
  let back: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      back = controller;
      for await (const line of child.lines) {
        onLine(line);
        const message = parseLine(line);
        if (message?.jsonrpc !== '2.0') continue; // Agents print other things too.
        if (message.method === 'session/update') onUpdate(fieldsOf(message.params));
        else if (isForeign(message)) onRequest(String(message.method).slice(0, 80));
        if (message.method !== 'session/update' && isKnownShape(message))
          controller.enqueue(message as unknown as AnyMessage);
      }
      back = undefined;
      controller.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      try {
        await gate(lineOf(withoutFolder(message)), message);
      } catch {
        // Whoever refused has ended the turn; the library only has to stop waiting for an answer.
        if ('method' in message && 'id' in message) back?.enqueue(notSent(message.id));
        return;
      }
      const written = await child.write(lineOf(message));
      if (!written.ok) throw new Error('the agent no longer reads');
    },
  });
  return { readable, writable };
}

/** The one request of the protocol that is answered. */
const isForeign = ({ method, id }: Fields): boolean =>
  typeof method === 'string' && id !== undefined && method !== 'session/request_permission';

const lineOf = (message: AnyMessage): string => `${JSON.stringify(message)}\n`;

/**
 * The protocol wants the working folder by its full path. The agent's process is in it anyway, and no word of
 * ours names it, so the choke point looks at the message without it.
 */
function withoutFolder(message: AnyMessage): AnyMessage {
  const { params } = message as { readonly params?: unknown };
  return isFields(params) && 'cwd' in params
    ? ({ ...message, params: { ...params, cwd: '.' } } as AnyMessage)
    : message;
}

const NOT_SENT = -32_099;

const notSent = (id: JsonRpcId): AnyMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: NOT_SENT, message: 'not sent' },
});

/** Anything else the library would report on our standard error. */
const isKnownShape = ({ id, method, error }: Fields): boolean =>
  typeof method === 'string' || ((typeof id === 'number' || typeof id === 'string') && isAnswer(error));

const isAnswer = (error: unknown): boolean =>
  error === undefined ||
  (isFields(error) && Number.isInteger(error.code) && typeof error.message === 'string');
