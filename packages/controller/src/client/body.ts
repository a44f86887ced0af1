import type { IncomingMessage } from 'node:http';

/** The whole body as text. Rejects when it breaks off or is larger than the limit. */
export async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      answer.destroy();
      throw new Error(`The answer is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  // A server that dies in the middle of an answer without a length ends it like one that is done.
  if (!answer.complete) throw new Error('The answer broke off');
  return Buffer.concat(chunks).toString();
}

/** The lines of a body as they come. The last one counts only with its end: half an event is none. */
export async function* linesOf(
  answer: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<string, void, void> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]).toString();
      rest = [];
      size = 0;
      from = at + 1;
      if (line.trim() !== '') yield line;
    }
    rest.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) throw new Error(`An event is larger than ${maxBytes} bytes`);
  }
}
