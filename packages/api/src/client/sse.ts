import { createParser } from 'eventsource-parser';

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
  /** The messages that a chunk completes. Throws `RangeError` when a line or the data of a message passes the limit. */
  take(chunk: string): readonly SseMessage[];
}

/** A parser of `text/event-stream`. */
export function createSseParser(limit = MAX_MESSAGE): SseParser {
  let messages: SseMessage[] = [];
  let isTooLong = false;
  let isFirst = true;
  let afterReturn = false;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ id = '', event = 'message', data }) => messages.push({ id, event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
  });
  return {
    take(chunk) {
      if (chunk === '') return [];
      let text = isFirst ? chunk.replace(/^\uFEFF/, '') : chunk;
      isFirst = false;
      // The parser holds a return at the end of a chunk back until it sees what follows; here it ends its line at once.
      if (afterReturn) text = text.replace(/^\n/, '');
      afterReturn = text.endsWith('\r');
      messages = [];
      parser.feed(afterReturn ? `${text}\n` : text);
      if (isTooLong) throw new RangeError('A message of the stream is too long.');
      return messages;
    },
  };
}

/** In characters. */
const MAX_MESSAGE = 32 * 1024 * 1024;
