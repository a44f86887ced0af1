import { guard } from '@cuebook/guard';
import { childEnvironment } from '@cuebook/process';
import type { Provider, ProviderCapabilities, SessionOptions } from '../turn.js';
import { knownAgent } from './known-agent.js';
import type { AcpOptions } from './options.js';
import { openAcpSession } from './session.js';

/** What the protocol lets an agent do; a given agent may do less and then says so. */
export const ACP_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: true,
  // A permission is given or refused: the protocol has no words for other arguments.
  changesInput: false,
  planning: true,
  nativeTools: true,
};

const isAsking = ({ ask, access }: SessionOptions): boolean => ask === true && access !== 'plan';

/** Any agent that speaks the Agent Client Protocol, version 1, over its standard streams. */
export function createAcpProvider(options: AcpOptions): Provider {
  const {
    name,
    command,
    agent = command,
    args = [],
    parentEnv = process.env,
    allow = [],
    env = {},
  } = options;
  const known = knownAgent(agent);
  return {
    name,
    kind: 'cli',
    capabilities: ACP_CAPABILITIES,
    open: (session) =>
      openAcpSession(
        {
          ...options,
          args: [...args, ...(known.args ?? [])],
          ...(known.meta && { meta: known.meta }),
          env: childEnvironment(parentEnv, allow, {
            ...env,
            ...(guard('acp.ask-first', isAsking(session)) && known.askFirst),
          }),
        },
        session,
      ),
  };
}
