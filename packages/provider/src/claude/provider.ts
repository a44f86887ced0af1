import { claudeSessions } from '../agent/session-files.js';
import type { Provider, ProviderCapabilities } from '../turn.js';
import { openClaudeSession } from './session.js';

export interface ClaudeOptions {
  /** The program: a name on the path, or a full path. */
  readonly command?: string;
  /** The environment from which the allowed names are taken; this process's own unless told. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Set on top of it. */
  readonly set?: Readonly<Record<string, string>>;
}

/** What Claude Code can do through its stream of JSON lines. */
export const CLAUDE_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  changesInput: true,
  planning: true,
  nativeTools: true,
};

/** Claude Code, unmodified, as one long-lived process for each session. */
export function createClaudeProvider({
  command = 'claude',
  env = process.env,
  set = {},
}: ClaudeOptions = {}): Provider {
  return {
    name: 'claude',
    kind: 'cli',
    capabilities: CLAUDE_CAPABILITIES,
    sessionFiles: claudeSessions({ ...env, ...set }),
    open: (options) => openClaudeSession({ command, parent: env, set }, options),
  };
}
