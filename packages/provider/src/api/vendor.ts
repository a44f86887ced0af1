import type { CacheStyle } from './request/cache-plan.js';
import type { CallIds } from './request/pair-calls.js';

/** What tells one model API from another. */
export interface Vendor {
  readonly name: ApiName;
  /** As telemetry calls it. */
  readonly system: string;
  readonly baseUrl: string;
  /** Put behind an address that has no version of its own. */
  readonly version?: string;
  readonly urlNames: readonly string[];
  readonly keyNames: readonly string[];
  readonly needsKey: boolean;
  /** The key of its own options. */
  readonly namespace: string;
  /**
   * Where system blocks may stand: anywhere; first, each on its own; or first and all in one. The order among
   * them is kept.
   */
  readonly systemBlocks: 'anywhere' | 'first' | 'one';
  /** Whether the user says the first word, and the two take turns. */
  readonly userBegins?: true;
  readonly cache: CacheStyle;
  /**
   * Whether a tool's result may hold pictures and files; elsewhere the user shows them. `behind-text`: where there is a
   * text too, also an empty one.
   */
  readonly mediaInResults: boolean | 'behind-text';
  /** Whether a schema of the answer is held to by the letter unless it is told not to be. */
  readonly strictSchemas: boolean;
  /** What ids of calls look like; left out: `plain`. */
  readonly callIds?: CallIds;
  /** Whether the names of a tool's arguments have to be plain; left out: any name. */
  readonly argumentNames?: 'plain';
  /** What the events of a stream are named, where the SDK refuses others though the vendor may add some. */
  readonly eventKinds?: ReadonlySet<string>;
}

export type ApiName = 'openai' | 'openai-chat' | 'anthropic' | 'google' | 'compatible';

const OPENAI = {
  system: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  urlNames: ['OPENAI_BASE_URL'],
  keyNames: ['OPENAI_API_KEY'],
  needsKey: true,
  namespace: 'openai',
  systemBlocks: 'anywhere',
  cache: 'keyed',
} as const;

/** The model APIs. */
export const VENDORS: Readonly<Record<ApiName, Vendor>> = {
  openai: { ...OPENAI, name: 'openai', mediaInResults: true, strictSchemas: true },
  'openai-chat': { ...OPENAI, name: 'openai-chat', mediaInResults: false, strictSchemas: true },
  anthropic: {
    name: 'anthropic',
    system: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    version: 'v1',
    urlNames: ['ANTHROPIC_BASE_URL'],
    keyNames: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    namespace: 'anthropic',
    systemBlocks: 'first',
    userBegins: true,
    cache: 'marked',
    mediaInResults: true,
    strictSchemas: false,
    argumentNames: 'plain',
    eventKinds: new Set([
      ...['message_start', 'message_delta', 'message_stop', 'ping', 'error'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
    ]),
  },
  google: {
    name: 'google',
    system: 'gcp.gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    version: 'v1beta',
    urlNames: ['GOOGLE_GEMINI_BASE_URL'],
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    namespace: 'google',
    systemBlocks: 'first',
    userBegins: true,
    cache: 'implicit',
    mediaInResults: 'behind-text',
    strictSchemas: false,
  },
  compatible: {
    name: 'compatible',
    system: 'openai_compatible',
    baseUrl: '',
    urlNames: ['CUEBOOK_COMPATIBLE_URL'],
    keyNames: ['CUEBOOK_COMPATIBLE_KEY'],
    needsKey: false,
    namespace: 'compatible',
    callIds: 'nine',
    systemBlocks: 'one',
    cache: 'implicit',
    mediaInResults: false,
    strictSchemas: true,
  },
};
