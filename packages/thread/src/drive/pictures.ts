import {
  type ConversationHistory,
  type DefinitionEntry,
  type ModelData,
  type PromptData,
  type StepMessage,
  sentMessages,
} from '@cuebook/define';
import { guarded } from '@cuebook/guard';
import { fail, ok, type Redactor } from '@cuebook/prompt';
import type { Message } from '../run/message.js';
import { cleanBytes, describeBytes } from './clean-bytes.js';
import { type MediaData, type Seen, stepMessage } from './conversation.js';
import type { Describer } from './describe.js';
import type { DriveParts } from './parts.js';

/** What somebody says of a picture. */
export type Described = { readonly blob: string; readonly text: string };

export interface PictureAsking {
  readonly prompt: DefinitionEntry<PromptData>;
  readonly model: DefinitionEntry<ModelData>;
  /** Of the secrets that are known now: more than when a file was attached, it may be. */
  readonly redactor: Redactor;
  /** Tells what a picture shows; left out: nobody can. */
  readonly describe: Describer['describe'] | undefined;
}

/** Pictures that are too old to be sent are told of in words, once somebody has described them. */
export async function toConversation(
  parts: DriveParts,
  { prompt, model, redactor, describe }: PictureAsking,
  { earlier, current }: Seen,
): Promise<{ readonly conversation: ConversationHistory; readonly described: readonly Described[] }> {
  const data = new Map<string, MediaData>();
  for (const { attachments = [] } of [...earlier, ...current])
    for (const { blob } of attachments) {
      if (data.has(blob)) continue;
      const media = await mediaOf(parts, blob, redactor);
      if (media !== undefined) data.set(blob, media);
    }
  const step = (messages: readonly Message[]): readonly StepMessage[] =>
    messages.map((each) => stepMessage(each, data));
  const conversation = { earlier: step(earlier), current: step(current) };
  if (data.size === 0 || describe === undefined) return { conversation, described: [] };
  const sent = sentMessages(prompt.data, conversation);
  const isSighted = model.data.capabilities.vision ?? true;
  const old = isSighted ? sent.slice(0, Math.max(0, sent.length - prompt.data.recentImageThreshold)) : sent;
  const words = new Map<string, string>();
  for (const { message } of old)
    for (const { type, data: bytes, name = '', description } of message.media ?? []) {
      if (!type.startsWith('image/') || description !== undefined || words.has(bytes)) continue;
      // Nobody is asked twice: a picture that cannot be described is called by its name.
      const text = await describe({ type, data: bytes, path: name }, model).catch(() => undefined);
      words.set(bytes, text ?? (name === '' ? type : name));
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
  const described = [...data].flatMap(([blob, media]) => {
    const text = media.ok ? words.get(media.value) : undefined;
    return text === undefined ? [] : [{ blob, text }];
  });
  return {
    conversation: { earlier: tell(conversation.earlier), current: tell(conversation.current) },
    described,
  };
}

/** A file as it may be sent now; looked at once for each set of known secrets. */
async function mediaOf(
  { store }: DriveParts,
  blob: string,
  redactor: Redactor,
): Promise<MediaData | undefined> {
  const seen = looked.get(redactor) ?? new Map<string, MediaData>();
  looked.set(redactor, seen);
  const known = seen.get(blob);
  if (known !== undefined) return known;
  const bytes = await store.getBlob(blob);
  if (!(bytes instanceof Uint8Array)) return undefined;
  const clean = await guarded('attachment.later', () => cleanBytes(bytes, redactor), ok(bytes));
  const media: MediaData = clean.ok
    ? ok(Buffer.from(clean.value).toString('base64'))
    : fail(describeBytes(clean.error));
  if (seen.size >= MAX_LOOKED) seen.clear();
  seen.set(blob, media);
  return media;
}

const looked = new WeakMap<Redactor, Map<string, MediaData>>();
/** Files are large: a few are kept. */
const MAX_LOOKED = 16;
