import type { ClientConnection } from '@agentclientprotocol/sdk';
import { type Child, type ChildOptions, startChild } from '@cuebook/process';
import { type Fields, fieldsOf } from '../agent/fields.js';
import { TurnStop } from '../stream/turn-error.js';
import { endOfChild } from './failure.js';
import type { PermissionOutcome } from './permission.js';
import { childWire, type WireOptions } from './wire.js';

/** A running agent that has introduced itself. */
export interface AcpLink {
  readonly child: Child;
  /** What it says it can do. */
  readonly capabilities: Fields;
  request(method: string, params: Fields): Promise<Fields>;
  cancel(sessionId: string): Promise<void>;
  readonly isOpen: () => boolean;
  /** Lets it end by itself for a moment, then ends it with everything that it started. */
  close(): Promise<void>;
}

export interface LinkHandlers extends WireOptions {
  readonly onPermission: (params: Fields) => Promise<PermissionOutcome>;
}

/** Where files and terminals are concerned the agent uses its own: those are what its rights speak about. */
const CLIENT_CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

/** Agents that save their session do it when their input ends. */
const GOODBYE_MS = 1500;

/**
 * Starts the agent and says hello. Rejects when it does not answer in kind, or when `signal` fires before it
 * did; the child is then gone.
 */
export async function openLink(
  options: Omit<ChildOptions, 'signal'> & { readonly version: string; readonly signal: AbortSignal },
  handlers: LinkHandlers,
): Promise<AcpLink> {
  const { signal, version, ...program } = options;
  const child = startChild({ ...program, needsOutput: true, needsInput: true });
  const stop = () => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const connection = await connect(child, handlers);
  const link = { child, isOpen: () => !connection.signal.aborted, close: () => goodbye(child, connection) };
  // What the library checks is what agents bend: answers are read field by field instead.
  const request = async (method: string, params: Fields): Promise<Fields> =>
    fieldsOf(await connection.agent.request<unknown>(method, params));
  try {
    const hello = await request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: CLIENT_CAPABILITIES,
      clientInfo: { name: 'cuebook', version },
    });
    if (hello.protocolVersion !== PROTOCOL_VERSION) throw new Error(OTHER_VERSION);
    const capabilities = fieldsOf(hello.agentCapabilities);
    const cancel = (sessionId: string) => connection.agent.notify('session/cancel', { sessionId });
    return { ...link, capabilities, request, cancel };
  } catch (error) {
    const isGone = connection.signal.aborted;
    await child.kill();
    connection.close();
    if (!isGone) throw error;
    throw new TurnStop({ reason: 'error', error: endOfChild(await child.exited, child.stderrTail()) });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Of the protocol. */
const PROTOCOL_VERSION = 1;
const OTHER_VERSION = `the agent does not speak version ${PROTOCOL_VERSION} of the Agent Client Protocol`;

/** The library takes its time to load, and most processes never speak to such an agent. */
async function connect(child: Child, handlers: LinkHandlers): Promise<ClientConnection> {
  const { client } = await import('@agentclientprotocol/sdk');
  const app = client({ name: 'cuebook' })
    .onNotification('*', () => undefined)
    .onRequest('session/request_permission', fieldsOf, async ({ params }) => ({
      outcome: await handlers.onPermission(params),
    }));
  return app.connect(childWire(child, handlers));
}

async function goodbye(child: Child, connection: ClientConnection): Promise<void> {
  child.endInput();
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([child.exited, moment]);
  clearTimeout(timer);
  await child.kill();
  connection.close();
}
