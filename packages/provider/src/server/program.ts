import { guarded } from '@cuebook/guard';
import { type ChildFailure, startChild } from '@cuebook/process';
import type { Transport } from '@modelcontextprotocol/client';
import { type Hearing, ServerFault } from './fault.js';
import { MAX_ANSWER } from './http.js';

export interface ServerProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A server that is a program, over its standard streams. It runs like every other program: it is ended with all that
 * it started, a line without end costs no memory, and how it ended is known.
 */
export function programTransport(options: ServerProgramOptions, hearing: Hearing): Transport {
  let isClosed = false;
  const child = startChild({
    ...options,
    ...guarded('mcp.line', () => ({ maxLineBytes: MAX_ANSWER })),
    onOutput: (bytes) => {
      hearing.heard += bytes;
    },
  });
  const transport: Transport = {
    async start() {
      void read();
    },
    async send(message) {
      const sent = await child.write(`${JSON.stringify(message)}\n`);
      if (sent.ok) return;
      // A program that does not read has ended, or never began: which of the two, its end says.
      const { failure } = await child.exited;
      hearing.fault ??= faultOfFailure(failure ?? sent.error);
      throw new ServerFault(hearing.fault);
    },
    async close() {
      isClosed = true;
      await child.kill();
      transport.onclose?.();
    },
  };
  const read = async (): Promise<void> => {
    for await (const line of child.lines) {
      if (line.trim() === '') continue;
      try {
        transport.onmessage?.(JSON.parse(line));
      } catch {
        // A line of something else: many servers write their news there. What is asked times out if nothing comes.
        transport.onerror?.(new ServerFault('E_MCP_PROTOCOL'));
      }
    }
    const { failure } = await child.exited;
    hearing.fault ??= failure === undefined ? 'E_MCP_CRASH' : faultOfFailure(failure);
    if (!isClosed) transport.onclose?.();
  };
  return transport;
}

function faultOfFailure({ kind }: ChildFailure): ServerFault['fault'] {
  if (kind === 'line') return 'E_MCP_TOO_LARGE';
  return kind === 'closed' ? 'E_MCP_CRASH' : 'E_MCP_START';
}
