import {
  type ComposedStep,
  type ConversationHistory,
  chosen,
  composeStep,
  type SentMessage,
  type StepInput,
  type StepMessage,
  type StepRequest,
  sentMessages,
} from '@cuebook/define';
import {
  BYTES_PER_TOKEN,
  condenseHistory,
  DEFAULT_CONTEXT_TOKENS,
  LEAST_TOLD,
  type SizedMessage,
  type ToldAs,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { type BlockInput, decodedOrigin, fail, type Media, ok, type Result } from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';

/** Role, name and id around the words of a block. */
const FRAME = 100;
/** What a picture costs, whatever its bytes are. */
const PICTURE = 6_000;
/** What a reference in the place of a result costs at most. */
const REFERENCE = 700;
/** Arguments of a call in a message that is cut: longer ones are left out. */
const ARGS = 100;
const CALL = 300;

/**
 * The step of a conversation, made to fit what its model takes. Older results are told by their beginning, then the
 * oldest messages are left out, and a sentence says so; the record keeps all.
 */
export function composeFitting(
  input: StepInput & { readonly conversation: ConversationHistory },
): Result<StepRequest, Extract<ComposedStep, { ok: false }> | 'no-room'> {
  const whole = composeStep(input);
  if (!whole.ok) return fail(whole);
  const step = whole.value;
  const room = roomOf(step);
  const total = bytesOf(step);
  if (!guard('history.fits', total > room)) return ok(step);
  const sent = sentMessages(input.prompt.data, input.conversation);
  const sizes = sent.map((_, index) => blockBytes(step.blocks.find(({ name }) => name === nameOf(index))));
  const history = sizes.reduce((sum, size) => sum + size, 0);
  const measure = (message: StepMessage): number => {
    const alone = composeStep({
      ...input,
      conversation: { earlier: [], current: [...callOf(message), message], isChosen: true },
    });
    return blockBytes(alone.ok ? alone.value.blocks.at(-1) : undefined);
  };
  const sized = sent.map(({ message }, index) => {
    const size = sizes[index] as number;
    // Of fewer messages more are among the newest, whose pictures are sent.
    return sizeOf(message, message.media === undefined ? size : Math.max(size, measure(message)));
  });
  const plan = condenseHistory(sized, room - (total - history));
  if (plan === undefined) return fail('no-room');
  const told = sent.flatMap((each, index) => tellAs(each, plan[index] as ToldAs, measure));
  const leftOut = plan.filter(({ kind }) => kind === 'left-out').length;
  const { earlier, ...rest } = chosen(told);
  const fitted = composeStep({
    ...input,
    conversation: { ...rest, earlier: [...(leftOut === 0 ? [] : [noteOf(leftOut)]), ...earlier] },
  });
  return fitted.ok ? ok(fitted.value) : fail(fitted);
}

/** A result is no message without its call. */
const callOf = ({ callId: id }: StepMessage): readonly StepMessage[] =>
  id === undefined ? [] : [{ role: 'assistant', text: '', calls: [{ id, name: 'any', args: {} }] }];

const nameOf = (index: number): string => `message-${index + 1}`;

/** Bytes that a request may have: what the model takes, without the answer. */
function roomOf({ models: [model] }: StepRequest): number {
  const { contextLength = DEFAULT_CONTEXT_TOKENS, maxOutputTokens = 0 } = model?.data.capabilities ?? {};
  return (contextLength - Math.min(maxOutputTokens, Math.floor(contextLength / 4))) * BYTES_PER_TOKEN;
}

const bytesOf = ({ blocks, tools }: StepRequest): number =>
  blocks.reduce((sum, block) => sum + blockBytes(block), FRAME) + Buffer.byteLength(JSON.stringify(tools));

function blockBytes(block: BlockInput | undefined): number {
  if (block === undefined) return 0;
  const { pieces, calls, media = [] } = block;
  return (
    pieces.reduce((sum, { text }) => sum + Buffer.byteLength(text), FRAME) +
    (calls === undefined ? 0 : Buffer.byteLength(JSON.stringify(calls))) +
    media.reduce((sum, each) => sum + mediaBytes(each), 0)
  );
}

const mediaBytes = ({ type, data }: Media): number => (type.startsWith('image/') ? PICTURE : data.length);

function sizeOf({ role, trust, calls = [] }: StepMessage, whole: number): SizedMessage {
  if (role === 'tool') return { role, whole, reference: REFERENCE };
  if (role === 'user') return { role, whole, isPerson: trust === 'user' };
  return { role, whole, least: 2 * FRAME + calls.length * CALL };
}

function noteOf(count: number): StepMessage {
  const { text, origin } = TEXTS.piece('conversation.md#left-out');
  const told = text.replace('{{count}}', String(count));
  return { role: 'user', text: told, trust: 'platform', origin: decodedOrigin(origin) };
}

function tellAs(
  sent: SentMessage,
  as: ToldAs,
  measure: (message: StepMessage) => number,
): readonly SentMessage[] {
  if (as.kind === 'left-out') return [];
  if (as.kind === 'whole') return [sent];
  const bytes = as.kind === 'reference' ? REFERENCE : as.bytes;
  const { message, left } = withRoomFor(sent.message, as.kind === 'reference' ? 0 : bytes - LEAST_TOLD);
  let room = bytes - FRAME;
  let told = cut(message, left, room);
  // Escapes make a text longer than it is: the room for it shrinks until the block fits.
  while (measure(told) > bytes && room > 0) {
    room = Math.max(0, Math.floor((room * bytes) / measure(told)) - 32);
    told = cut(message, left, room);
  }
  return [{ ...sent, message: told }];
}

/** The message with the first of its pictures and files, as many as have room, and what is told of the others. */
function withRoomFor(
  { media = [], reasoning: _, ...bare }: StepMessage,
  room: number,
): { readonly message: StepMessage; readonly left: string } {
  const sizes = media.map(mediaBytes);
  const count = sizes.filter((_size, at) => sizes.slice(0, at + 1).reduce((a, b) => a + b, 0) <= room).length;
  const kept = guard('history.media', count < media.length) ? media.slice(0, count) : media;
  const gone = media.slice(kept.length);
  const bytes = gone.reduce((sum, { data }) => sum + data.length, 0);
  return {
    message: kept.length === 0 ? bare : { ...bare, media: kept },
    left: gone.length === 0 ? '' : `\n[left out here: ${gone.length} attached, ${bytes} bytes]`,
  };
}

function cut(message: StepMessage, left: string, room: number): StepMessage {
  const { text, calls } = message;
  const total = Buffer.byteLength(text);
  const isShort = total + left.length <= room;
  const note = `${isShort ? '' : `\n[cut here: ${total} bytes in all]`}${left}`;
  return {
    ...message,
    text: `${isShort ? text : clip(text, Math.max(0, room - note.length))}${note}`.replace(/^\n(?=\[)/, ''),
    ...(calls === undefined
      ? {}
      : {
          calls: calls.map((call) => {
            const size = Buffer.byteLength(JSON.stringify(call.args));
            return size <= ARGS ? call : { ...call, args: { leftOut: `${size} bytes` } };
          }),
        }),
  };
}

/** The beginning of a text in so many bytes, without half a character. */
function clip(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes), 'utf8');
  let end = Math.min(bytes, encoded.length);
  while (end > 0 && end < encoded.length && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}
