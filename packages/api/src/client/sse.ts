/** One message of an event stream. */
export interface SseMessage {
  /** Empty when the message has none of its own. */
  readonly id: string;
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
}

/** Reads a stream of text as it comes in. Any cut of the text into chunks gives the same messages. */
export interface SseParser {
  /** The messages that a chunk completes. Throws `RangeError` when a message is longer than the limit. */
  take(chunk: string): readonly SseMessage[];
}

/** A parser of `text/event-stream`. */
export function createSseParser(limit = MAX_MESSAGE): SseParser {
  let rest = '';
  let afterReturn = false;
  let isFirst = true;
  let size = 0;
  let draft = emptyDraft();

  const endMessage = (messages: SseMessage[]) => {
    if (draft.data !== undefined)
      messages.push({ id: draft.id, event: draft.event || 'message', data: draft.data });
    draft = emptyDraft();
    size = 0;
  };
  const takeLine = (line: string, messages: SseMessage[]) => {
    if (line === '') return endMessage(messages);
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    size += line.length;
    if (size > limit) throw new RangeError('A message of the stream is too long.');
    if (field === 'data') draft.data = draft.data === undefined ? value : `${draft.data}\n${value}`;
    else if (field === 'event') draft.event = value;
    else if (field === 'id' && !value.includes('\0')) draft.id = value;
  };

  return {
    take(chunk) {
      const messages: SseMessage[] = [];
      let text = chunk;
      if (text === '') return messages;
      if (isFirst) text = text.replace(/^\uFEFF/, '');
      isFirst = false;
      // A line feed that belongs to a return at the end of the chunk before ends no line of its own.
      if (afterReturn && text.startsWith('\n')) text = text.slice(1);
      afterReturn = text.endsWith('\r');
      const lines = text.split(/\r\n|\r|\n/);
      const last = lines.pop() ?? '';
      for (const line of lines) {
        takeLine(rest + line, messages);
        rest = '';
      }
      rest += last;
      if (rest.length > limit) throw new RangeError('A line of the stream is too long.');
      return messages;
    },
  };
}

const emptyDraft = (): { id: string; event: string; data: string | undefined } => ({
  id: '',
  event: '',
  data: undefined,
});

const MAX_MESSAGE = 32 * 1024 * 1024;
