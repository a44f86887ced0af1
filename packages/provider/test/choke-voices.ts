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
  /** Where it groups our tools. */
  readonly namespace?: string;
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
        set: {
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: 'sk-ant-fake-key-for-tests-0000',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          CLAUDE_CODE_MAX_RETRIES: '0',
        },
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
        ...{ command, transport, allow: ['STUB_KEY'] },
        environment: {
          PATH: process.env.PATH,
          HOME: desk.home,
          ANTHROPIC_API_KEY: SECRET,
          STUB_KEY: 'sk-fake-01234',
        },
        config: {
          ...{ model_provider: 'stub', 'model_providers.stub.name': 'stub' },
          'model_providers.stub.base_url': `${url}/v1`,
          'model_providers.stub.wire_api': 'responses',
          'model_providers.stub.env_key': 'STUB_KEY',
          'model_providers.stub.supports_websockets': false,
          'model_providers.stub.request_max_retries': 0,
          'model_providers.stub.stream_max_retries': 0,
          'analytics.enabled': false,
          'features.plugins': false,
        },
      }),
  })),
  {
    ...{ name: 'gemini', part: 'gemini', model: 'gemini-2.5-flash', asks: true, hearsWhy: false },
    own: { name: 'run_shell_command', args: { command: 'touch own.txt' } },
    provider: ({ desk, url, command }) =>
      createGeminiProvider({ command, environment: geminiEnvironment(desk.home, url), trust: true }),
  },
  {
    ...{ name: 'gemini over ACP', part: 'gemini', model: 'gemini-2.5-flash', asks: true, hearsWhy: false },
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
          ...geminiEnvironment(desk.home, url),
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
          GEMINI_CLI_NO_RELAUNCH: 'true',
        },
      }),
  },
];

const geminiEnvironment = (home: string, url: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  GEMINI_API_KEY: 'fake-key-0123456789abcdef0123456789abcdef',
  GOOGLE_GEMINI_BASE_URL: url,
});

/** Gemini CLI reads these from its home. */
export const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
};
