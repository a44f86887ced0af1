import {
  type Conversation,
  type Entry,
  type ModelData,
  type PromptData,
  type StepMessage,
  sentMessages,
} from '@cuebook/define';
import type { Message } from '../run/message.js';
import { type Seen, stepMessage } from './conversation.js';
import type { DriveParts } from './parts.js';

/** What somebody says of a picture. */
export type Described = { readonly blob: string; readonly text: string };

/** Pictures that are too old to be sent are told of in words, once somebody has described them. */
export async function toConversation(
  parts: DriveParts,
  { prompt, model }: { readonly prompt: Entry<PromptData>; readonly model: Entry<ModelData> },
  { earlier, current }: Seen,
): Promise<{ readonly conversation: Conversation; readonly described: readonly Described[] }> {
  const data = new Map<string, string>();
  for (const { attachments = [] } of [...earlier, ...current])
    for (const { blob } of attachments) {
      const bytes = data.has(blob) ? undefined : await parts.store.getBlob(blob);
      if (bytes instanceof Uint8Array) data.set(blob, Buffer.from(bytes).toString('base64'));
    }
  const step = (messages: readonly Message[]): readonly StepMessage[] =>
    messages.map((each) => stepMessage(each, data));
  const conversation = { earlier: step(earlier), current: step(current) };
  if (data.size === 0 || parts.describe === undefined) return { conversation, described: [] };
  const sent = sentMessages(prompt.data, conversation);
  const isSighted = model.data.capabilities.vision ?? true;
  const old = isSighted ? sent.slice(0, Math.max(0, sent.length - prompt.data.recentImageThreshold)) : sent;
  const words = new Map<string, string>();
  for (const { message } of old)
    for (const { type, data: bytes, name = '', description } of message.media ?? []) {
      if (!type.startsWith('image/') || description !== undefined || words.has(bytes)) continue;
      const text = await parts.describe({ type, data: bytes, path: name }).catch(() => undefined);
      if (text !== undefined) words.set(bytes, text);
    }
  const tell = (messages: readonly StepMessage[]): readonly StepMessage[] =>
    messages.map((message) =>
      message.media === undefined
        ? message
        : {
            ...message,
            media: message.media.map((each) => {
              const text = words.get(each.data);
              return text === undefined ? each : { ...each, description: text };
            }),
          },
    );
  const described = [...data].flatMap(([blob, bytes]) => {
    const text = words.get(bytes);
    return text === undefined ? [] : [{ blob, text }];
  });
  return {
    conversation: { earlier: tell(conversation.earlier), current: tell(conversation.current) },
    described,
  };
}
