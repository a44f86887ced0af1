import { createHash } from 'node:crypto';
import { fail, type GatedRequest, ok, type Result } from '@cuebook/prompt';
import { type WireDocument, wireDocument } from '@cuebook/prompt/wire';
import { oneText, wordsOf } from '../agent/words.js';
import { type ApiName, VENDORS } from '../api/vendor.js';
import { NO_CONFIG, type ProviderConfig } from '../catalog/config.js';
import { systemText, userLine } from '../claude/user-line.js';
import { requestJson } from '../rehearsal/request-bytes.js';
import type { ConversationKey, TurnError } from '../turn.js';
import { apiBody } from './api-body.js';
import { grammarPlace } from './grammar.js';

export interface BodyOptions {
  /** The provider's name in the catalog or in the configuration. */
  readonly provider: string;
  readonly config?: ProviderConfig | undefined;
  readonly model?: string | undefined;
  readonly conversation?: ConversationKey | undefined;
  /** The full effective prompt. */
  readonly request: GatedRequest;
  /** What is really sent where the provider keeps the history. */
  readonly delta?: GatedRequest | undefined;
}

/**
 * What a provider is sent for a request, with the source of each byte. The body of a model API and of the rehearsal is
 * exact. A program is told by several messages that hold names of its own: what stands for it is the words of the
 * turn as that program takes them.
 */
export async function turnBody(options: BodyOptions): Promise<Result<WireDocument, TurnError>> {
  const { provider, config = NO_CONFIG, request, delta } = options;
  const format = formatOf(provider, config);
  if (format === undefined) {
    const message = `There is no provider called "${provider}".`;
    return fail({ code: 'E_PROVIDER_CONFIG', message, retryable: false });
  }
  const isApi = Object.hasOwn(VENDORS, format);
  const told = isApi || format === 'raw' ? request : (delta ?? request);
  const write = async (each: GatedRequest): Promise<string> => {
    if (!isApi) return (WRITERS[format] ?? plainText)(each, options);
    const body = await apiBody(each, { ...options, api: format as ApiName });
    if (!body.ok) throw new Unwritten(body.error);
    return body.value;
  };
  try {
    return ok(await wireDocument({ request: told, format, write, hash, ruleAt: grammarPlace }));
  } catch (thrown) {
    if (thrown instanceof Unwritten) return fail(thrown.error);
    throw thrown;
  }
}

/** Why there is no body. */
class Unwritten extends Error {
  readonly error: TurnError;

  constructor(error: TurnError) {
    super(error.message);
    this.error = error;
  }
}

type Writer = (request: GatedRequest, options: BodyOptions) => string;

const plainText: Writer = (request) => oneText(wordsOf(request));

/** A name that the program or the provider makes up for each message. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

const WRITERS: Readonly<Record<string, Writer>> = {
  rehearsal: (request, { model }) => requestJson(request, model),
  claude: (request) =>
    `${JSON.stringify({ systemPrompt: systemText(request), tools: request.tools })}\n${userLine(request, NO_ID)}`,
  codex: (request) => {
    const { instructions, text, images } = wordsOf(request);
    const tools = request.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }));
    return `${JSON.stringify({ developerInstructions: instructions, dynamicTools: tools })}\n${JSON.stringify({ input: [{ type: 'text', text }, ...images.map((url) => ({ type: 'image', url }))] })}\n`;
  },
};

/** A model API or a kind of program. */
function formatOf(provider: string, { providers }: ProviderConfig): string | undefined {
  const custom = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const name = custom?.kind ?? provider;
  return Object.hasOwn(VENDORS, name) || FORMATS.has(name) ? name : undefined;
}

const FORMATS: ReadonlySet<string> = new Set([
  'rehearsal',
  'claude',
  'codex',
  'gemini',
  'acp',
  'line',
  'raw',
]);

const hash = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;
