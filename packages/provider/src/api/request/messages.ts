import { guard } from '@cuebook/guard';
import type { Block, JsonValue, Media, ToolNames } from '@cuebook/prompt';
import type { ArgumentNames } from '../../tool/argument-names.js';
import type { Vendor } from '../vendor.js';
import type { ModelMessage, VendorOptions } from '../wire/model.js';
import { pairCalls } from './pair-calls.js';
import type { KeptThoughts } from './thoughts.js';

/**
 * The blocks in the order in which the vendor reads them, those that say nothing left out, and calls paired with
 * their results. A vendor that wants somebody to speak to is told the last system block by the user when there is
 * nothing else: no word is added.
 */
export function wireOrder(
  blocks: readonly Block[],
  { systemBlocks, callIds, userBegins }: Pick<Vendor, 'systemBlocks' | 'callIds' | 'userBegins'>,
): readonly Block[] {
  const said = pairCalls(blocks.filter(saysSomething), callIds).filter(saysSomething);
  if (systemBlocks === 'anywhere') return said;
  const system = said.filter(({ role }) => role === 'system');
  const spoken = said.filter(({ role }) => role !== 'system');
  const last = system.at(-1);
  if (spoken.length === 0 && last !== undefined) return [...system.slice(0, -1), { ...last, role: 'user' }];
  const [first] = spoken;
  const isOpen = guard('api.beginning', userBegins === true && first?.role === 'assistant');
  const begins = isOpen && first !== undefined ? [unsaidBeginning(first)] : [];
  return [...system, ...begins, ...spoken];
}

/** What stands for the words that led to an answer, where the vendor wants the user to begin. */
const BEGINNING = 'What was said before this is not told here.';

const unsaidBeginning = ({ name, hash }: Block): Block => ({
  ...{ name: `${name}, before`, role: 'user', text: BEGINNING, spans: [], hash },
});

/** Blank text says nothing, and vendors refuse it. The result of a call may be empty. */
const saysSomething = ({ text, calls, callId, media }: Block): boolean =>
  text.trim() !== '' || Boolean(calls?.length) || callId !== undefined || Boolean(media?.length);

export interface MessageContext {
  readonly vendor: Vendor;
  readonly names: ToolNames;
  readonly args: ArgumentNames;
  /** What was kept with each answer that made calls, in their order. */
  readonly kept: readonly (KeptThoughts | undefined)[];
  /** Indexes of blocks behind which a cache breakpoint stands. */
  readonly breakpoints: ReadonlySet<number>;
}

/** The blocks, in wire order, as the messages of the AI SDK. */
export function toModelMessages(blocks: readonly Block[], context: MessageContext): ModelMessage[] {
  const { vendor, breakpoints, kept } = context;
  const calledAs = new Map(
    blocks.flatMap(({ calls = [] }) => calls.map(({ id, name }) => [id, name] as const)),
  );
  const answers = blocks.filter(({ calls }) => calls?.length);
  const messages = blocks.map((block, index): ModelMessage => {
    const message = toModelMessage(block, calledAs, { ...context, thought: kept[answers.indexOf(block)] });
    const isMarked = vendor.cache === 'marked' && breakpoints.has(index);
    return isMarked ? { ...message, providerOptions: BREAKPOINT } : message;
  });
  const told = joinResults(vendor.mediaInResults ? messages : showBehind(messages, blocks));
  const joined = vendor.userBegins === true ? joinAnswers(told) : told;
  return vendor.systemBlocks === 'one' ? mergeSystem(joined) : joined;
}

interface BlockContext extends MessageContext {
  readonly thought: KeptThoughts | undefined;
}

function toModelMessage(
  block: Block,
  calledAs: ReadonlyMap<string, string>,
  context: BlockContext,
): ModelMessage {
  switch (block.role) {
    case 'system':
      return { role: 'system', content: block.text };
    case 'user':
      return { role: 'user', content: [...textParts(block.text), ...fileParts(block.media)] };
    case 'assistant':
      return { role: 'assistant', content: assistantParts(block, context) };
    case 'tool':
      return toolMessage(block, calledAs, context);
  }
}

/** The mark of a vendor that takes marks. */
export const BREAKPOINT: VendorOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['content'][number];
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

const textParts = (text: string) => (text.trim() === '' ? [] : [{ type: 'text' as const, text }]);

const fileParts = (media: readonly Media[] = []) =>
  media.map(({ type, data }) => ({ type: 'file' as const, mediaType: type, data }));

function assistantParts(
  { text, calls = [], media }: Block,
  { names, args: told, thought: kept }: BlockContext,
): AssistantPart[] {
  const before = (kept?.thoughts ?? []).map(
    ({ text: thought, metadata }): AssistantPart => ({
      type: 'reasoning',
      text: thought,
      ...(metadata && { providerOptions: metadata }),
    }),
  );
  const made = calls.map(({ id, name, args }, index): AssistantPart => {
    const metadata = kept?.calls[index];
    const call = {
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: names.toWire(name),
      input: told.toTold(name, objectOf(args)),
    };
    return metadata ? { ...call, providerOptions: metadata } : call;
  });
  return [...before, ...textParts(text), ...fileParts(media), ...made];
}

/** Arguments are an object for every vendor; what a model wrote instead is shown to it as such. */
const objectOf = (args: JsonValue): JsonValue =>
  args !== null && typeof args === 'object' && !Array.isArray(args) ? args : { input: args };

function toolMessage(
  { text, callId = '', media }: Block,
  calledAs: ReadonlyMap<string, string>,
  { names, vendor }: MessageContext,
): ToolMessage {
  const files = (vendor.mediaInResults ? (media ?? []) : []).map(({ type, data }) => ({
    type: type.startsWith('image/') ? ('image-data' as const) : ('file-data' as const),
    data,
    mediaType: type,
  }));
  const words = vendor.mediaInResults === 'behind-text' ? [{ type: 'text' as const, text }] : textParts(text);
  const output =
    files.length === 0
      ? { type: 'text' as const, value: text }
      : { type: 'content' as const, value: [...words, ...files] };
  const toolName = names.toWire(calledAs.get(callId) ?? '');
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, toolName, output }] };
}

/** All results of one answer in one message: a vendor counts them against the calls. */
function joinResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== 'tool' || last?.role !== 'tool') joined.push(message);
    else joined[joined.length - 1] = { ...last, ...message, content: [...last.content, ...message.content] };
  }
  return joined;
}

/** Answers in a row are one: a vendor takes calls only right behind the user or behind results. */
function joinAnswers(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== 'assistant' || last?.role !== 'assistant') joined.push(message);
    else joined[joined.length - 1] = { ...last, ...message, content: [...last.content, ...message.content] };
  }
  return joined;
}

/** Pictures of results for a vendor whose results are text: shown by the user behind the last of the results. */
function showBehind(messages: readonly ModelMessage[], blocks: readonly Block[]): readonly ModelMessage[] {
  const shown: ModelMessage[] = [];
  let waiting: Media[] = [];
  messages.forEach((message, index) => {
    shown.push(message);
    if (message.role === 'tool') waiting = [...waiting, ...(blocks[index]?.media ?? [])];
    if (waiting.length === 0 || messages[index + 1]?.role === 'tool') return;
    shown.push({ role: 'user', content: fileParts(waiting) });
    waiting = [];
  });
  return shown;
}

function mergeSystem(messages: ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === 'system');
  if (system.length < 2) return messages;
  const content = system.map((message) => message.content).join('\n\n');
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')];
}
