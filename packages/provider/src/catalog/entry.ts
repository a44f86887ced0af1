import { API_CAPABILITIES } from '../api/provider.js';
import { type ApiName, VENDORS } from '../api/vendor.js';
import { CLAUDE_CAPABILITIES } from '../claude/provider.js';
import { CODEX_CAPABILITIES } from '../codex/codex.js';
import { GEMINI_CAPABILITIES } from '../gemini/gemini.js';
import { REHEARSAL_CAPABILITIES } from '../rehearsal/provider.js';
import type { Provider, ProviderCapabilities } from '../turn.js';

/** One provider as `cuebook providers` knows it. */
export interface CatalogEntry {
  readonly name: string;
  readonly kind: Provider['kind'];
  readonly title: string;
  readonly capabilities: ProviderCapabilities;
  /** The program that has to be there; model APIs and the rehearsal need none. */
  readonly program?: ProgramNeed;
  /** How one signs in; left out where nobody has to, or where nobody can tell from outside. */
  readonly signIn?: SignIn;
  /** An address that has to be configured, and how. */
  readonly address?: { readonly names: readonly string[]; readonly configured: boolean };
}

export interface ProgramNeed {
  readonly command: string;
  /**
   * The versions whose streams are known: from the first to before the second. Left out for programs that are
   * not built in: those are never run to ask them.
   */
  readonly versions?: readonly [from: string, before: string];
  /** The version that the tests run. */
  readonly tested?: string;
  /** How to come by it, as a sentence. */
  readonly install: string;
}

export interface SignIn {
  /** Environment variables, any of which is a key. */
  readonly keys: readonly string[];
  /** Files of the program's own login, any of which is one; in the folder that a variable names, or in the home. */
  readonly logins: readonly { readonly folderName?: string; readonly home: string; readonly file: string }[];
  /** How to sign in, as a sentence. */
  readonly how: string;
}

/** The name of the provider that speaks where no other is configured. */
export const DEFAULT_PROVIDER = 'rehearsal';

/** Everything that is built in, in the order in which it is listed. */
export const BUILT_IN: readonly CatalogEntry[] = [
  {
    name: 'rehearsal',
    kind: 'rehearsal',
    title: 'Scripted: no key, no network, no model',
    capabilities: REHEARSAL_CAPABILITIES,
  },
  {
    name: 'claude',
    kind: 'cli',
    title: 'Claude Code',
    capabilities: CLAUDE_CAPABILITIES,
    program: {
      command: 'claude',
      versions: ['2.1.197', '3.0.0'],
      tested: '2.1.325',
      install: 'Install the npm package @anthropic-ai/claude-code.',
    },
    signIn: {
      keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      logins: [{ folderName: 'CLAUDE_CONFIG_DIR', home: '.claude', file: '.credentials.json' }],
      how: 'Run `claude` and sign in, or set ANTHROPIC_API_KEY.',
    },
  },
  {
    name: 'codex',
    kind: 'cli',
    title: 'Codex CLI',
    capabilities: CODEX_CAPABILITIES,
    program: {
      command: 'codex',
      versions: ['0.166.0', '0.167.0'],
      tested: '0.166.0',
      install: 'Install the npm package @openai/codex.',
    },
    signIn: {
      keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
      logins: [{ folderName: 'CODEX_HOME', home: '.codex', file: 'auth.json' }],
      how: 'Run `codex login`, or set OPENAI_API_KEY.',
    },
  },
  {
    name: 'gemini',
    kind: 'cli',
    title: 'Gemini CLI',
    capabilities: GEMINI_CAPABILITIES,
    program: {
      command: 'gemini',
      versions: ['0.61.0', '0.62.0'],
      tested: '0.61.0',
      install: 'Install the npm package @google/gemini-cli.',
    },
    signIn: {
      keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      logins: [
        { home: '.gemini', file: 'oauth_creds.json' },
        { home: '.gemini', file: 'gemini-credentials.json' },
      ],
      how: 'Run `gemini` and sign in, or set GEMINI_API_KEY.',
    },
  },
  apiEntry('anthropic', 'Anthropic Messages'),
  apiEntry('openai', 'OpenAI Responses'),
  apiEntry('openai-chat', 'OpenAI Chat Completions'),
  apiEntry('google', 'Google Gemini'),
  apiEntry('compatible', 'Any address that speaks Chat Completions'),
];

/** A model API; `configured` when its address is in the configuration. */
export function apiEntry(
  api: ApiName,
  title: string,
  {
    name = api,
    keys,
    configured = false,
  }: { name?: string; keys?: readonly string[]; configured?: boolean } = {},
): CatalogEntry {
  const { keyNames, urlNames, baseUrl, needsKey } = VENDORS[api];
  const names = keys ?? keyNames;
  return {
    name,
    kind: 'api',
    title,
    capabilities: API_CAPABILITIES,
    ...(needsKey || keys !== undefined
      ? { signIn: { keys: names, logins: [], how: `Set ${names.join(' or ')}.` } }
      : {}),
    ...(baseUrl === '' ? { address: { names: urlNames, configured } } : {}),
  };
}
