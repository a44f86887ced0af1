import { hint } from '@cuebook/prompt/hint';
import type { PROVIDER_CODES } from '../codes.js';

/** What is wrong with a server: one sentence that tells nothing of this machine, with what to do about it. */
export const FAULTS = {
  E_MCP_AUTH: 'it does not accept the key (401 or 403): set the variable that `keyName` names to a valid one',
  E_MCP_LOGIN: 'it asks for a login (401), and there is none that it takes',
  E_MCP_ABSENT: 'there is no such address (404): correct its `url`',
  E_MCP_TOO_LARGE: 'its answer is larger than is read: ask it for less',
  E_MCP_ENDLESS: 'it keeps sending and never ends its answer: look at the server',
  E_MCP_PROTOCOL:
    'what it answers is not the Model Context Protocol: see that `url` or `command` is that of a server',
  E_MCP_CONNECT: 'no connection can be made: see that it runs and that its `url` is right',
  E_MCP_REDIRECT:
    'it sends to another address, to which nothing is sent: if that is its new one, set its `url` to it',
  E_MCP_CUT: 'it closed the connection in the middle of its answer: look at the server',
  E_MCP_TLS:
    'its certificate is not trusted: fix the certificate, or name its authority in NODE_EXTRA_CA_CERTS',
  E_MCP_TIMEOUT: 'it does not answer in time: look at the server, or raise its `timeoutMs`',
  E_MCP_CRASH: 'its program has ended: run the command by hand to see why',
  E_MCP_START: 'its program cannot be started: see that `command` is installed',
} as const satisfies { readonly [code in keyof typeof PROVIDER_CODES]?: string };

export type FaultCode = keyof typeof FAULTS;

/** The sentence of a fault, with the command that helps where there is one. */
export const faultText = (fault: FaultCode, server: string): string =>
  fault === 'E_MCP_LOGIN' ? `${FAULTS[fault]}: log in with ${hint`mcp login ${server}`}` : FAULTS[fault];

/** A failure whose kind is known where it happens. */
export class ServerFault extends Error {
  readonly fault: FaultCode;

  constructor(fault: FaultCode) {
    super(FAULTS[fault]);
    this.fault = fault;
    this.name = 'ServerFault';
  }
}

/** What a connection heard, for telling a silent server from one that never ends. */
export interface Hearing {
  /** The fault that was seen last, if any. */
  fault: FaultCode | undefined;
  /** Bytes that came. */
  heard: number;
}

export const newHearing = (): Hearing => ({ fault: undefined, heard: 0 });

/** What was thrown, in the terms of a server; what was seen on the wire goes first. */
export function faultOf(thrown: unknown, before: number, hearing: Hearing): FaultCode {
  for (const cause of causesOf(thrown)) if (cause instanceof ServerFault) return cause.fault;
  if (hearing.fault !== undefined) return hearing.fault;
  if (causesOf(thrown).some(isTimeout)) return hearing.heard > before ? 'E_MCP_ENDLESS' : 'E_MCP_TIMEOUT';
  return 'E_MCP_PROTOCOL';
}

const isTimeout = (cause: unknown): boolean =>
  /timeout|timed out/i.test(`${String(fieldOf(cause, 'code'))} ${String(fieldOf(cause, 'message'))}`);

/** Why no connection could be made: by the codes of TLS, else the way itself. */
export const wireFault = (thrown: unknown): FaultCode =>
  causesOf(thrown).some((cause) => TLS.test(String(fieldOf(cause, 'code')))) ? 'E_MCP_TLS' : 'E_MCP_CONNECT';

const TLS = /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)_)|^EPROTO$/;

function causesOf(thrown: unknown): readonly unknown[] {
  const found = new Set<unknown>();
  for (let at = thrown; at !== undefined && at !== null && !found.has(at); at = fieldOf(at, 'cause'))
    found.add(at);
  return [...found];
}

const fieldOf = (value: unknown, key: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
