import { isAbsolute } from 'node:path';
import { childEnvironment } from '@cuebook/process';
import { ownSessions } from '../agent/session-files.js';
import type { Provider, ProviderCapabilities } from '../turn.js';
import { openLineSession } from './line-session.js';
import type { LineOptions } from './options.js';
import { openRawSession } from './raw-session.js';

/** What the protocol has words for; a given program may do less. */
export const LINE_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  changesInput: true,
  planning: true,
  nativeTools: true,
};

/** Words in, words out: each turn is a process of its own that knows nothing of the last. */
export const RAW_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: false,
  interrupts: true,
  approves: false,
  changesInput: false,
  planning: false,
  nativeTools: false,
};

/** Any program of the user's own that speaks lines. */
export function createLineProvider(options: LineOptions): Provider {
  const { name, protocol = 'lines', parentEnv = process.env, allow = [], env = {} } = options;
  const program = { ...options, env: childEnvironment(parentEnv, allow, env) };
  const isRaw = protocol === 'raw';
  const sessions = options.sessions?.replace(/^~(?=\/|$)/, parentEnv.HOME ?? '~');
  const isKept = sessions !== undefined && isAbsolute(sessions);
  return {
    name,
    kind: 'cli',
    capabilities: isRaw ? RAW_CAPABILITIES : LINE_CAPABILITIES,
    ...(isKept && { sessionFiles: ownSessions(sessions) }),
    open: (session) => (isRaw ? openRawSession(program, session) : openLineSession(program, session)),
  };
}
