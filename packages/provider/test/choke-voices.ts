import {
  CODEX_KEY,
  claudeEnvironment,
  codexEnvironment,
  codexSettings,
  geminiEnvironment,
} from '../../../test/model-server/agents.js';
import type { ScriptedCall } from '../../../test/model-server/index.js';
import { createAcpProvider } from '../src/acp/provider.js';
import { createApiProvider } from '../src/api/provider.js';
import type { ApiName } from '../src/api/vendor.js';
import { createClaudeProvider } from '../src/claude/provider.js';
import { createCodexProvider } from '../src/codex/codex.js';
import { createGeminiProvider } from '../src/gemini/gemini.js';
import type { Provider } from '../src/turn.js';
import type { AgentDesk } from './agent-desk.js';
import { SECRET } from './play.js';

/** Each voice against a model server of its own; what it was told is told again by those who heard it. */
export interface Voice {
  readonly name: string;
  readonly provider: (place: Place) => Provider;
  readonly model?: string;
}

export interface Agent extends Voice {
  readonly part: string;
  /** A call of the agent's own tool. */
  readonly own: ScriptedCall;
  /** Whether it asks before it makes that call, and whether its model hears why not. */
  readonly asks: boolean;
  readonly hearsWhy: boolean;
  /** It is told why in a prompt of its own, when it has answered. */
  readonly isToldLater?: boolean;
  /** Where it groups our tools. */
  readonly namespace?: string;
  /** What it asks as for a call of ours, where nothing but its own words would tell that it is one. */
  readonly asksForOurs?: string;
}

export interface Place {
  readonly desk: AgentDesk;
  readonly lane: string;
  readonly url: string;
  /** The program, with a witness before it. */
  readonly command: string;
}

/** The model APIs. */
export const APIS: readonly Voice[] = (
  ['openai', 'openai-chat', 'anthropic', 'google', 'compatible'] as const
).map((api: ApiName) => ({
  name: api,
  model: 'm',
  provider: ({ url }) =>
    createApiProvider({
      ...{ api, apiKey: 'sk-fake-0123456789abcdef' },
      baseUrl: api === 'anthropic' || api === 'google' ? url : `${url}/v1`,
    }),
}));

/** The agents, each the real program. */
export const CLIS: readonly Agent[] = [
  {
    ...{ name: 'claude', part: 'claude', asks: true, hearsWhy: true },
    own: { id: 'own_1', name: 'Bash', args: { command: 'node -v > own.txt' } },
    provider: ({ desk, url, command }) =>
      createClaudeProvider({
        command,
        env: { PATH: process.env.PATH, HOME: desk.home, OPENAI_API_KEY: SECRET },
        set: claudeEnvironment(url),
      }),
  },
  ...(['app-server', 'exec'] as const).map((transport) => ({
    ...{
      name: transport === 'exec' ? 'codex exec' : 'codex',
      part: 'codex',
      model: 'gpt-5.5',
      asks: transport !== 'exec',
      hearsWhy: transport !== 'exec',
    },
    ...(transport === 'exec' && { namespace: 'mcp__cuebook' }),
    own: { id: 'own_1', name: 'exec_command', args: { cmd: 'touch own.txt', yield_time_ms: 20_000 } },
    provider: ({ desk, url, command }: Place) =>
      createCodexProvider({
        ...{ command, transport, allow: [CODEX_KEY] },
        environment: {
          PATH: process.env.PATH,
          HOME: desk.home,
          ANTHROPIC_API_KEY: SECRET,
          ...codexEnvironment,
        },
        config: codexSettings(url),
      }),
  })),
  {
    ...{ name: 'gemini', part: 'gemini', model: 'gemini-2.5-flash', asks: true, hearsWhy: true },
    isToldLater: true,
    own: { name: 'run_shell_command', args: { command: 'touch own.txt' } },
    provider: ({ desk, url, command }) =>
      createGeminiProvider({ command, environment: geminiAt(desk.home, url), trust: true }),
  },
  {
    ...{ name: 'gemini over ACP', part: 'gemini', model: 'gemini-2.5-flash', asks: true, hearsWhy: true },
    isToldLater: true,
    asksForOurs: 'other',
    own: { name: 'run_shell_command', args: { command: 'touch own.txt' } },
    provider: ({ desk, url, command }) =>
      createAcpProvider({
        ...{
          name: 'gemini-acp',
          command,
          args: ['--acp'],
          modelFlag: '-m',
          parentEnv: { PATH: process.env.PATH },
        },
        env: {
          ...geminiAt(desk.home, url),
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
          GEMINI_CLI_NO_RELAUNCH: 'true',
        },
      }),
  },
];

const geminiAt = (home: string, url: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  ...geminiEnvironment(url),
});
