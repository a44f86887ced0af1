import type { Attachments, Block, Prompt, Redaction, Role, Span } from './block.js';
import type { Diagnostic } from './diagnostic.js';
import { type ChatMessage, type MessageOptions, toMessages } from './project.js';
import { redactionsOf } from './redaction.js';
import { type StablePrefix, stablePrefix } from './stable-prefix.js';
import type { TokenCount } from './tokens.js';
import { utf8Length } from './utf8.js';

/** What every `render` answers, whatever the profile. */
export interface RenderDocument {
  readonly profile: string;
  /** The hash of the one-string projection, unmasked. */
  readonly hash: string;
  readonly messages: readonly ChatMessage[];
  readonly blocks: readonly RenderedBlock[];
  readonly tools: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
  /** What its author notes about the prompt, where there is anything. It is not sent. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly tokens: TokenCount;
  readonly cache: StablePrefix;
  readonly redactions: readonly Redaction[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface RenderedBlock extends Attachments {
  readonly name: string;
  readonly role: Role;
  readonly text: string;
  readonly hash: string;
  readonly spans: readonly Span[];
}

export interface RenderInput extends MessageOptions {
  readonly profile: string;
  readonly prompt: Prompt;
  readonly tools?: readonly unknown[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly tokens: TokenCount;
  readonly diagnostics?: readonly Diagnostic[];
  /** Show confidential text to whoever may see it. */
  readonly reveal?: boolean;
}

/** What stands for confidential text where it must not be shown. */
export const CONFIDENTIAL_MASK = '[confidential]';

/**
 * The render document. Confidential spans are masked, with offsets as shown and hashes of the truth, unless
 * they are to be revealed.
 */
export function renderDocument(input: RenderInput): RenderDocument {
  const { profile, prompt, tokens, tools = [], params = {}, meta, diagnostics = [], reveal = false } = input;
  const blocks = prompt.blocks.map((block) => (reveal ? shown(block) : masked(block)));
  return {
    profile,
    hash: prompt.hash,
    messages: toMessages({ blocks }, input),
    blocks,
    tools,
    params,
    ...(meta === undefined ? {} : { meta }),
    tokens,
    cache: stablePrefix(prompt),
    redactions: blocks.flatMap(redactionsOf),
    diagnostics,
  };
}

const shown = ({ name, role, text, hash, spans, ...beside }: Block): RenderedBlock => ({
  name,
  role,
  text,
  hash,
  spans,
  ...beside,
});

function masked(block: Block): RenderedBlock {
  if (block.spans.every((span) => span.secrecy === 'public')) return shown(block);
  const bytes = new TextEncoder().encode(block.text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const spans: Span[] = [];
  let text = '';
  let start = 0;
  for (const span of block.spans) {
    const isPublic = span.secrecy === 'public';
    const part = isPublic ? decoder.decode(bytes.subarray(span.start, span.end)) : CONFIDENTIAL_MASK;
    const end = start + utf8Length(part);
    spans.push({ ...span, start, end });
    text += part;
    start = end;
  }
  return shown({ ...block, text, spans });
}
