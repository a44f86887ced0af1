import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProviderConfig } from '@cuebook/provider';
import {
  CODEX_KEY,
  claudeEnvironment,
  codexEnvironment,
  codexSettings,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import { SCRIPTED_CLI } from '../cli-stand.js';
import { scriptOf } from '../host-stand.js';
import { acpCall } from './acp-call.js';
import type { UnseenCall, Vocabulary } from './call.js';
import type { Pick } from './shell.js';

/** Where a kind of provider is set up. */
export interface Place {
  /** The lane of the model server that plays its model. */
  readonly base: string;
  /** The program, where it is a real one. */
  readonly program: string;
  /** A folder for files of the test. */
  readonly folder: string;
  readonly home: string;
}

/** A kind of provider whose model makes unseen calls. */
export interface UnseenKind {
  readonly name: string;
  /** Where there are several of that name. */
  readonly title?: string;
  /** It cannot ask: it may only read, or is not started at all. */
  readonly isMute?: true;
  /** Each call has an outcome on record, also one by a name that there is no tool of. */
  readonly tellsAll?: true;
  /** It ends its turn as soon as one call is denied. */
  readonly endsAtNo?: true;
  /** With this code none of its turns begins: what acts by itself cannot be held to asking. */
  readonly refusal?: string;
  /** The real program that it is. */
  readonly part?: 'claude' | 'codex' | 'gemini' | 'opencode';
  /** Left out: built in under its own name. */
  readonly config?: (place: Place) => ProviderConfig['providers'][string];
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  readonly prepare?: (place: Place) => void;
  readonly model?: string;
  readonly vocabulary: Vocabulary;
  /** What its program or its script does, where no model server plays its model. */
  readonly acts?: (calls: readonly UnseenCall[], pick: Pick) => Acts;
}

/** A script of the rehearsal, or a file that the program of the test reads. */
export type Acts =
  | { readonly script: string; readonly turns: number }
  | { readonly file: string; readonly turns?: never };

const parsed = ({ args }: UnseenCall) => JSON.parse(args) as Readonly<Record<string, unknown>>;

/** Cuebook carries out the tools. */
const OUR_TOOLS: Vocabulary = {
  shell: (cmd) => ['command', { cmd: `bash -c '${cmd.replaceAll("'", "'\\''")}'` }],
  write: (path) => ['write_file', { path, content: 'made' }],
  ours: 'spawn_node',
};
const KEY = 'fake-key-0123456789abcdef0123456789abcdef';
const api = (name: string, env: (base: string) => Readonly<Record<string, string>>): UnseenKind => ({
  name,
  tellsAll: true,
  env: ({ base }) => env(base),
  model: name === 'google' ? 'gemini-2.5-flash' : 'model-1',
  vocabulary: OUR_TOOLS,
});

const CODEX: Vocabulary = {
  shell: (cmd) => ['exec_command', { cmd, yield_time_ms: 5_000 }],
  write: (path) => ['exec_command', { cmd: `printf made > ${path}`, yield_time_ms: 5_000 }],
  ours: 'spawn_node',
  names: /^[\w-]{1,64}$/,
};
const GEMINI: Vocabulary = {
  shell: (command) => ['run_shell_command', { command }],
  write: (path) => ['write_file', { file_path: path, content: 'made' }],
  ours: 'mcp_cuebook_spawn_node',
};
const codex = (name: string, transport: 'app-server' | 'exec'): UnseenKind => ({
  name,
  part: 'codex',
  config: ({ base, program }) => ({
    ...{ kind: 'codex', command: program, allow: [CODEX_KEY], transport },
    config: codexSettings(base),
  }),
  env: () => codexEnvironment,
  vocabulary: CODEX,
  ...(transport === 'exec' && { isMute: true as const }),
});

/** The person lets it do everything by itself. */
const opencodeSettings = (baseURL: string) => ({
  ...{ model: 'local/model-1', small_model: 'local/model-1', autoupdate: false },
  permission: { bash: { '*': 'allow' }, edit: 'allow' },
  provider: {
    local: {
      ...{ npm: '@ai-sdk/openai-compatible', name: 'local', options: { baseURL, apiKey: KEY } },
      models: { 'model-1': { name: 'model-1', tool_call: true } },
    },
  },
});

const HOSTILE_AGENT = fileURLToPath(
  new URL('../../../provider/test/fixtures/acp/hostile.mjs', import.meta.url),
);
/** Says the words that stand in a file, whatever it hears. */
const RAW =
  "process.stdin.resume().on('end', () => process.stdout.write(require('node:fs').readFileSync(process.argv[1])))";
const ACTS = 'acts.json';

const isOurs = ({ name }: UnseenCall): boolean => name.includes('spawn');
const textCalls = (calls: readonly UnseenCall[]): string =>
  calls.map(({ name, args }) => `{"tool_call":{"name":${JSON.stringify(name)},"args":${args}}}`).join('\n');

/** The lists of calls that a model makes at once. */
export function batches<Item>(items: readonly Item[], size = 25): readonly (readonly Item[])[] {
  const lists: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += size) lists.push(items.slice(at, at + size));
  return lists;
}

function rehearsed(calls: readonly UnseenCall[], step: (some: readonly UnseenCall[]) => object): Acts {
  const steps = batches(calls).map(step);
  return { script: scriptOf({ '*': [...steps, { text: 'Done.' }] }), turns: steps.length + 1 };
}

/** Every kind of provider that there is. */
export const KINDS: readonly UnseenKind[] = [
  {
    name: 'rehearsal',
    tellsAll: true,
    vocabulary: OUR_TOOLS,
    acts: (calls) =>
      rehearsed(calls, (some) => ({
        toolCalls: some.map((each) => ({ name: each.name, args: parsed(each) })),
      })),
  },
  {
    name: 'rehearsal',
    tellsAll: true,
    title: 'rehearsal, in its words',
    vocabulary: OUR_TOOLS,
    acts: (calls) => rehearsed(calls, (some) => ({ text: textCalls(some) })),
  },
  api('anthropic', (base) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: base })),
  api('openai', (base) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${base}/v1` })),
  api('openai-chat', (base) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${base}/v1` })),
  {
    ...api('google', (base) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: base })),
    vocabulary: { ...OUR_TOOLS, unsaid: ['__proto__'] },
  },
  api('compatible', (base) => ({ CUEBOOK_COMPATIBLE_URL: `${base}/v1`, CUEBOOK_COMPATIBLE_KEY: KEY })),
  {
    ...api('own-address', () => ({ OWN_KEY: KEY })),
    config: ({ base }) => ({ kind: 'compatible', baseUrl: `${base}/v1`, keyName: 'OWN_KEY' }),
  },
  {
    name: 'raw',
    isMute: true,
    refusal: 'E_PROVIDER_PLAN',
    config: ({ folder }) => ({
      ...{ kind: 'raw', command: process.execPath, env: {}, allow: [] },
      args: ['-e', RAW, join(folder, ACTS)],
    }),
    vocabulary: OUR_TOOLS,
    acts: (calls) => ({ file: textCalls(calls) }),
  },
  {
    name: 'line',
    tellsAll: true,
    config: ({ folder }) => ({
      ...{ kind: 'line', command: process.execPath, env: {}, allow: [] },
      args: [SCRIPTED_CLI, join(folder, ACTS)],
    }),
    env: () => ({ CUEBOOK_LINE_NATIVE_TOOLS: 'provider' }),
    vocabulary: {
      shell: (command) => ['Bash', { command }],
      write: (path) => ['Write', { file_path: path, content: 'made' }],
      ours: 'spawn_node',
    },
    acts: (calls) => ({
      file: JSON.stringify({
        lanes: {
          '*': [
            calls.map((each) =>
              isOurs(each)
                ? { call: { name: each.name, input: parsed(each) } }
                : {
                    ask: {
                      ...{ tool: each.name, write: true },
                      // What it does when it is allowed to.
                      input: { ...parsed(each), content: 'made', file_path: each.file },
                    },
                  },
            ),
          ],
        },
      }),
    }),
  },
  {
    name: 'acp',
    config: ({ folder }) => ({
      ...{ kind: 'acp', command: process.execPath, env: {}, allow: [] },
      args: [HOSTILE_AGENT, join(folder, ACTS)],
    }),
    vocabulary: { ...GEMINI, ours: 'spawn_node' },
    acts: (calls, pick) => ({
      file: JSON.stringify({
        steps: calls.map((each) =>
          isOurs(each)
            ? { call: { name: each.name, args: parsed(each) } }
            : { ask: { call: acpCall(pick, each), makes: each.file } },
        ),
      }),
    }),
  },
  {
    name: 'claude',
    tellsAll: true,
    part: 'claude',
    config: ({ base, program }) => ({ kind: 'claude', command: program, env: claudeEnvironment(base) }),
    vocabulary: {
      shell: (command) => ['Bash', { command, description: 'runs' }],
      write: (path) => ['Write', { file_path: path, content: 'made' }],
      ours: 'mcp__cuebook__spawn_node',
    },
  },
  codex('codex', 'app-server'),
  codex('codex-exec', 'exec'),
  {
    name: 'gemini',
    part: 'gemini',
    config: ({ program }) => ({ kind: 'gemini', command: program, allow: [], trust: true }),
    env: ({ base }) => geminiEnvironment(base),
    prepare: ({ home }) => writeGeminiSettings(home),
    model: 'gemini-2.5-flash',
    vocabulary: GEMINI,
  },
  {
    name: 'opencode',
    part: 'opencode',
    endsAtNo: true,
    config: ({ program, base }) => ({
      ...{ kind: 'acp', command: program, args: ['acp'], allow: [] },
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeSettings(`${base}/v1`)) },
    }),
    vocabulary: {
      shell: (command) => ['bash', { command, description: 'runs' }],
      write: (path) => ['write', { filePath: path, content: 'made' }],
      ours: 'cuebook_spawn_node',
    },
  },
  {
    name: 'gemini-acp',
    part: 'gemini',
    config: ({ program, base }) => ({
      ...{ kind: 'acp', command: program, args: ['--acp'], allow: [], modelFlag: '-m' },
      env: { ...geminiEnvironment(base), GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
    }),
    prepare: ({ home }) => writeGeminiSettings(home),
    model: 'gemini-2.5-flash',
    vocabulary: GEMINI,
  },
];

export const writeActs = (folder: string, text: string): void => writeFileSync(join(folder, ACTS), text);
