import { childEnvironment } from '@cuebook/process';
import { MCP_SERVER_NAME } from '../mcp/turn-tools.js';
import type { Access } from '../turn.js';

/** What a process of Claude Code is started with. */
export interface ClaudeLaunch {
  readonly sessionId: string;
  /** Go on with a session that Claude Code keeps; otherwise it is begun under this id. */
  readonly isResumed: boolean;
  readonly model: string | undefined;
  readonly access: Access | undefined;
  readonly ask: boolean;
  readonly hasTools: boolean;
}

/**
 * The command line. The prompt is not on it: a command line is short, and everybody on the machine can read it.
 * There is no flag that skips permissions: `full` is granted request by request.
 */
export function claudeArgs(options: ClaudeLaunch): readonly string[] {
  const { sessionId, isResumed, model, hasTools } = options;
  return [
    ...['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    // The replay of our message says that what follows belongs to it.
    ...['--include-partial-messages', '--replay-user-messages'],
    ...['--permission-prompt-tool', 'stdio', '--permission-mode', permissionMode(options)],
    ...[isResumed ? '--resume' : '--session-id', sessionId],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...['--disallowedTools', OUT_OF_TURN.join(',')],
    ...(options.ask && options.access !== 'plan' ? ['--settings', ASK_FIRST] : []),
    // No rule allows our tools beforehand: it would be about a name. They are answered for when they are asked for.
    ...(hasTools ? ['--mcp-config', OUR_SERVER] : []),
  ];
}

/** With `ask` every act is asked for; without it the agent does by itself what `access` gives, and is denied the rest. */
function permissionMode({ access, ask }: ClaudeLaunch): 'plan' | 'acceptEdits' | 'default' {
  if (access === 'plan') return 'plan';
  return access === undefined || ask ? 'default' : 'acceptEdits';
}

/** Its own tools that act after the turn has ended, or reach other agents past the record. */
const OUT_OF_TURN = [
  'CronCreate',
  'CronDelete',
  'CronList',
  'ScheduleWakeup',
  'Monitor',
  'SendMessage',
  'ListAgents',
];

/**
 * Rules that ask go before rules that allow, whoever wrote them: what the settings of the person or of the project
 * let Claude Code do by itself is asked for all the same.
 */
const ASK_FIRST = JSON.stringify({
  permissions: { ask: ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch', 'mcp__*'] },
});

/** Served over the pipe that is there already: no process, no port. */
const OUR_SERVER = JSON.stringify({
  mcpServers: { [MCP_SERVER_NAME]: { type: 'sdk', name: MCP_SERVER_NAME } },
});

export interface EnvironmentOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly set: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly hasTools: boolean;
}

/** The user's own login, gateway and settings; a cloud's credentials only where Claude Code is told to use that cloud. */
export function claudeEnvironment({
  parent,
  set,
  retries,
  hasTools,
}: EnvironmentOptions): Record<string, string> {
  const clouds = CLOUDS.filter(({ asked }) => isOn(set[asked] ?? parent[asked])).flatMap(
    ({ names }) => names,
  );
  const env = childEnvironment(parent, [...OWN_NAMES, ...clouds], {
    ...(parent.CLAUDE_CODE_MAX_RETRIES === undefined ? { CLAUDE_CODE_MAX_RETRIES: String(retries) } : {}),
    // What runs on after the turn would act unrecorded; an update in between would change who answers.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_CRON: '1',
    DISABLE_AUTOUPDATER: '1',
    // Otherwise our tools stand behind a search and not in the request.
    ...(hasTools ? { ENABLE_TOOL_SEARCH: 'false' } : {}),
    ...set,
  });
  for (const name of PARENT_SESSION) delete env[name];
  return env;
}

const OWN_NAMES = [
  ...[
    'ANTHROPIC_*',
    'CLAUDE_CODE_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_ENV_FILE',
    'ENABLE_TOOL_SEARCH',
    'IS_SANDBOX',
  ],
  ...['DISABLE_TELEMETRY', 'DISABLE_ERROR_REPORTING', 'DISABLE_AUTOUPDATER', 'DISABLE_PROMPT_CACHING*'],
  ...[
    'MAX_THINKING_TOKENS',
    'MAX_MCP_OUTPUT_TOKENS',
    'MCP_TIMEOUT',
    'MCP_TOOL_TIMEOUT',
    'USE_BUILTIN_RIPGREP',
  ],
  ...['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH', 'API_TIMEOUT_MS'],
];

const CLOUDS = [
  { asked: 'CLAUDE_CODE_USE_BEDROCK', names: ['AWS_*'] },
  {
    asked: 'CLAUDE_CODE_USE_VERTEX',
    names: ['GOOGLE_*', 'GCLOUD_*', 'CLOUDSDK_*', 'CLOUD_ML_REGION', 'VERTEX_*'],
  },
  { asked: 'CLAUDE_CODE_USE_FOUNDRY', names: ['AZURE_*'] },
];

const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|true|yes|on)$/i.test(value);

/** Of a Claude Code that we run inside of: its child is a session of its own. */
const PARENT_SESSION = [
  ...[
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
  ],
  ...['CLAUDE_CODE_SESSION_KIND', 'CLAUDE_CODE_EXECPATH', 'CLAUDE_CODE_REMOTE'],
];
