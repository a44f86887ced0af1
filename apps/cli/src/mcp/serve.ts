import { guard } from '@cuebook/guard';
import { type McpHandler, PARSE_FAILURE } from '@cuebook/provider';
import { linesOf } from '../input/lines.js';
import type { Io } from '../io.js';
import { messageWriter } from '../redact/told-message.js';

/** In bytes. A longer line is answered with an error and not kept. */
export const MAX_MESSAGE = 4 * 1024 * 1024;
/** Requests at work at once; more are refused until one is done. */
export const MAX_AT_WORK = 128;
/** How long the last requests have to finish when the client has gone. */
const GRACE_MS = 30_000;

/**
 * Speaks JSON-RPC over standard streams, a message a line, until the input ends or somebody stops it. Requests
 * overlap, and each is answered when it is done. `onOpen` is handed what says something that nobody asked for.
 */
export async function serveLines(
  handler: McpHandler,
  { stdin, exact, stop }: Pick<Io, 'stdin' | 'exact' | 'stop'>,
  onOpen: (say: (message: unknown) => void) => void = () => undefined,
): Promise<void> {
  const atWork = new Set<Promise<void>>();
  const { say, written } = messageWriter({ exact });
  // What the server says by itself: a client that is gone hears nothing.
  onOpen((message) => void say(message).catch(() => undefined));
  const answer = async (line: Uint8Array | undefined): Promise<void> => {
    const message = line === undefined ? undefined : parse(line);
    if (message === undefined) return say(line === undefined ? TOO_LONG : PARSE_FAILURE);
    const isRequest = isRecord(message.value) && message.value.id !== undefined;
    if (guard('mcp.at-work', isRequest && atWork.size >= MAX_AT_WORK)) {
      return say({ ...BUSY, id: isRecord(message.value) ? message.value.id : null });
    }
    const reply = await handler.handle(message.value);
    if (reply !== undefined) await say(reply);
  };
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const listen = async (): Promise<void> => {
    for await (const line of linesOf(stdin, MAX_MESSAGE)) {
      if (line?.length === 0) continue;
      const work: Promise<void> = answer(line).finally(() => atWork.delete(work));
      atWork.add(work);
    }
  };
  await Promise.race([listen(), stopped]);
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    clock = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([Promise.all(atWork), late, stopped]);
  clearTimeout(clock);
  await written();
}

const TOO_LONG = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: `E_LINE The message has more than ${MAX_MESSAGE} bytes` },
} as const;

const BUSY = {
  jsonrpc: '2.0',
  error: { code: -32000, message: `E_MCP_BUSY More than ${MAX_AT_WORK} requests are at work` },
} as const;

function parse(line: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as unknown };
  } catch {
    return undefined; // Answered as JSON-RPC says.
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
