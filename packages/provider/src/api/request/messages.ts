import type { Block, JsonValue, Media } from '@cuebook/prompt';
import type { Vendor } from '../vendor.js';
import type { ModelMessage, VendorOptions } from '../wire/model.js';
import type { ThoughtMemory } from './thoughts.js';
import type { ToolNames } from './tool-names.js';

/** The blocks in the order in which the vendor reads them, empty ones left out. */
export function wireOrder(blocks: readonly Block[], systemBlocks: Vendor['systemBlocks']): readonly Block[] {
  const said = blocks.filter(
    ({ text, calls, callId, media }) => text !== '' || calls?.length || callId !== undefined || media?.length,
  );
  if (systemBlocks === 'anywhere') return said;
  return [...said.filter(({ role }) => role === 'system'), ...said.filter(({ role }) => role !== 'system')];
}

export interface MessageContext {
  readonly vendor: Vendor;
  readonly names: ToolNames;
  readonly thoughts: ThoughtMemory;
  /** Indexes of blocks behind which a cache breakpoint stands. */
  readonly breakpoints: ReadonlySet<number>;
}

/** The blocks, in wire order, as the messages of the AI SDK. */
export function toModelMessages(blocks: readonly Block[], context: MessageContext): ModelMessage[] {
  const calledAs = new Map(
    blocks.flatMap(({ calls = [] }) => calls.map(({ id, name }) => [id, name] as const)),
  );
  const messages = blocks.map(
    (block, index): ModelMessage => ({
      ...toModelMessage(block, calledAs, context),
      ...(context.vendor.cache === 'marked' &&
        context.breakpoints.has(index) && { providerOptions: BREAKPOINT }),
    }),
  );
  return context.vendor.systemBlocks === 'one' ? mergeSystem(messages) : messages;
}

function toModelMessage(
  block: Block,
  calledAs: ReadonlyMap<string, string>,
  context: MessageContext,
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
type ToolMessage = Extract<ModelMessage, { role: 'tool' | 'user' }>;

const textParts = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }]);

const fileParts = (media: readonly Media[] = []) =>
  media.map(({ type, data }) => ({ type: 'file' as const, mediaType: type, data }));

function assistantParts(
  { text, calls = [], media }: Block,
  { names, thoughts }: MessageContext,
): AssistantPart[] {
  const [first] = calls;
  const kept = first && thoughts.find(first.id);
  const before = (kept?.thoughts ?? []).map(
    ({ text: thought, metadata }): AssistantPart => ({
      type: 'reasoning',
      text: thought,
      ...(metadata && { providerOptions: metadata }),
    }),
  );
  const made = calls.map(({ id, name, args }): AssistantPart => {
    const metadata = kept?.calls.get(id);
    const call = {
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: names.toWire(name),
      input: objectOf(args),
    };
    return metadata ? { ...call, providerOptions: metadata } : call;
  });
  return [...before, ...textParts(text), ...fileParts(media), ...made];
}

/** Arguments are an object for every vendor; what a model wrote instead is shown to it as such. */
const objectOf = (args: JsonValue): JsonValue =>
  args !== null && typeof args === 'object' && !Array.isArray(args) ? args : { input: args };

/** A result that answers no call is said by the user: no vendor takes it otherwise. */
function toolMessage(
  { text, callId, media }: Block,
  calledAs: ReadonlyMap<string, string>,
  { names }: MessageContext,
): ToolMessage {
  const name = callId === undefined ? undefined : calledAs.get(callId);
  if (callId === undefined || name === undefined) {
    return { role: 'user', content: [...textParts(text), ...fileParts(media)] };
  }
  const files = (media ?? []).map(({ type, data }) => ({
    type: type.startsWith('image/') ? ('image-data' as const) : ('file-data' as const),
    data,
    mediaType: type,
  }));
  const output =
    files.length === 0
      ? { type: 'text' as const, value: text }
      : { type: 'content' as const, value: [...textParts(text), ...files] };
  const result = { type: 'tool-result' as const, toolCallId: callId, toolName: names.toWire(name), output };
  return { role: 'tool', content: [result] };
}

function mergeSystem(messages: ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === 'system');
  if (system.length < 2) return messages;
  const content = system.map((message) => message.content).join('\n\n');
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')];
}
