import { guard } from '@cuebook/guard';
import type { JsonValue, ToolNames } from '@cuebook/prompt';
import type { LiveTurn } from '../../stream/live-turn.js';
import type { ArgumentNames } from '../../tool/argument-names.js';
import type { TurnEnd, Usage } from '../../turn.js';
import type { KeptThoughts, Thought } from '../request/thoughts.js';
import { protocolError, readFailure } from './api-error.js';
import type { StreamPart, VendorOptions } from './model.js';

/** What one stream came to. */
export interface HeardStream {
  readonly end: Omit<TurnEnd, 'type'>;
  /** Whether anything was said, so that saying it again would say it twice. */
  readonly spoke: boolean;
  readonly usage?: Usage;
  /** The calls of the answer, in their order. */
  readonly calls: readonly { readonly name: string; readonly args: JsonValue | undefined }[];
  readonly kept: KeptThoughts;
}

interface HearParts {
  readonly turn: LiveTurn;
  readonly names: ToolNames;
  readonly args: ArgumentNames;
  readonly vendor: string;
}

/** Turns the parts of a stream into events, as they come. */
export async function hearStream(
  stream: ReadableStream<StreamPart>,
  { turn, names, args, vendor }: HearParts,
): Promise<HeardStream> {
  const blocks = createBlocks();
  const thoughts = new Map<string, { text: string; metadata?: VendorOptions }>();
  const calls: HeardStream['calls'][number][] = [];
  const metadata: (VendorOptions | undefined)[] = [];
  const open = new Set<string>();
  let spoke = false;
  let usage: Usage | undefined;
  let end: Omit<TurnEnd, 'type'> | undefined;
  let model: string | undefined;

  const hear = (part: StreamPart): void => {
    switch (part.type) {
      case 'stream-start':
        for (const warning of part.warnings) {
          turn.emit({ type: 'log', level: 'warning', text: describeWarning(warning) });
        }
        return;
      case 'response-metadata':
        model = part.modelId ?? model;
        return;
      case 'text-delta':
        if (part.delta === '') return;
        spoke = true;
        turn.emit({ type: 'text.delta', block: blocks(`text ${part.id}`), text: part.delta });
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const thought = thoughts.get(part.id) ?? { text: '' };
        thoughts.set(part.id, thought);
        if (part.providerMetadata) thought.metadata = { ...thought.metadata, ...part.providerMetadata };
        if (part.type !== 'reasoning-delta' || part.delta === '') return;
        spoke = true;
        thought.text += part.delta;
        turn.emit({ type: 'reasoning.delta', block: blocks(`reasoning ${part.id}`), text: part.delta });
        return;
      }
      case 'tool-input-start':
        spoke = true;
        open.add(part.id);
        turn.emit({ type: 'tool.start', id: part.id, ...nameOf(part.toolName, names), by: 'caller' });
        return;
      case 'tool-input-delta':
        if (part.delta !== '') turn.emit({ type: 'tool.delta', id: part.id, json: part.delta });
        return;
      case 'tool-call': {
        spoke = true;
        const { toolCallId: id, toolName, input, providerMetadata } = part;
        const named = nameOf(toolName, names);
        const read = readInput(input, (made) => args.toOwn(named.name, made));
        if (!open.has(id)) turn.emit({ type: 'tool.start', id, ...named, by: 'caller' });
        calls.push({ name: named.name, args: read.input });
        metadata.push(providerMetadata);
        turn.emit({ type: 'tool.end', id, ...named, by: 'caller', ...read });
        return;
      }
      case 'finish':
        usage = usageOf(part.usage);
        end ??= endOf(part.finishReason);
        return;
      case 'error':
        end ??= { reason: 'error', error: readFailure(part.error, vendor).error };
        return;
      default:
        return;
    }
  };

  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      hear(value);
    }
  } catch (thrown) {
    end ??= { reason: 'error', error: readFailure(thrown, vendor).error };
    await reader.cancel().catch(() => undefined);
  }
  end ??= CUT_OFF;
  if (model !== undefined) end = { ...end, model: model.slice(0, MOST_NAME) };
  const kept = { thoughts: [...thoughts.values()] as readonly Thought[], calls: metadata };
  return { end, spoke, calls, kept, ...(usage && { usage }) };
}

/** Characters of the name of a model. */
const MOST_NAME = 200;

/** The tool that is meant, and what it was called where that is another spelling. Nothing is guessed. */
function nameOf(said: string, names: ToolNames): { readonly name: string; readonly said?: string } {
  const meant = names.understand(said);
  if (meant.kind !== 'known') return { name: said };
  return names.toWire(meant.name) === said ? { name: meant.name } : { name: meant.name, said };
}

/** Numbers text and reasoning in the order in which they begin. */
function createBlocks(): (id: string) => number {
  const numbers = new Map<string, number>();
  return (id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
}

const CUT_OFF: Omit<TurnEnd, 'type'> = {
  reason: 'error',
  error: protocolError('The answer ended before the message did.'),
};

type Finish = Extract<StreamPart, { readonly type: 'finish' }>;

function endOf({ unified, raw }: Finish['finishReason']): Omit<TurnEnd, 'type'> {
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return { reason: 'done', stop: unified };
    case 'length': {
      if (guard('api.window', isWindow(raw))) return WINDOW;
      const message = 'The model reached its limit of output tokens.';
      return {
        reason: 'error',
        stop: unified,
        error: { code: 'E_PROVIDER_LENGTH', message, retryable: false },
      };
    }
    case 'content-filter': {
      const message = 'The provider or the model refused to answer.';
      return {
        reason: 'refused',
        stop: unified,
        error: { code: 'E_PROVIDER_FILTER', message, retryable: false },
      };
    }
    case 'error': {
      const message = `The model broke off its answer (${describeRaw(raw)}).`;
      return { reason: 'error', stop: unified, error: protocolError(message) };
    }
    default:
      if (isWindow(raw)) return WINDOW;
      // Without a word on why, the stream just stopped: the SDK says `finish` all the same.
      return raw === undefined ? CUT_OFF : { reason: 'done', stop: raw };
  }
}

/** A window that is full is no limit of the answer: more room for the answer does not help. */
const isWindow = (raw: string | undefined): boolean =>
  raw !== undefined && /context.?(?:window|length)/i.test(raw);

const WINDOW: Omit<TurnEnd, 'type'> = {
  reason: 'error',
  stop: 'context-window',
  error: {
    code: 'E_PROVIDER_WINDOW',
    message: 'Prompt and answer together filled the context window of the model before it was done.',
    retryable: false,
  },
};

/** A word of the vendor's, never a sentence of somebody else's. */
const describeRaw = (raw: string | undefined): string =>
  raw !== undefined && /^[\w-]{1,60}$/.test(raw) ? raw : 'no reason was given';

function usageOf({ inputTokens, outputTokens }: Finish['usage']): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    reasoningTokens: outputTokens.reasoning ?? 0,
  };
}

function readInput(
  text: string,
  toOwn: (made: JsonValue) => JsonValue,
): { readonly input: JsonValue | undefined; readonly badInput?: string } {
  if (text.trim() === '') return { input: {} };
  try {
    return { input: toOwn(JSON.parse(text) as JsonValue) };
  } catch {
    return { input: undefined, badInput: text };
  }
}

type Warning = Extract<StreamPart, { readonly type: 'stream-start' }>['warnings'][number];

function describeWarning(warning: Warning): string {
  if (warning.type === 'other') return warning.message;
  return `${warning.feature} is ${warning.type} here${warning.details ? `: ${warning.details}` : ''}`;
}
