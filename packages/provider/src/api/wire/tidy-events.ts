import { guard } from '@cuebook/guard';

const LF = 10;
const CR = 13;

/**
 * A stream of events as every reader understands it: lines end with LF alone, and what a vendor names an event of a
 * kind that is not `known` is left out: a later version of its interface may say more. Left out: all kinds are kept.
 */
export function tidyEvents(known?: ReadonlySet<string>): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let hadCr = false;
  // In pieces, so that one long event is put together once.
  let held: string[] = [];
  return new TransformStream({
    transform(bytes, controller) {
      const lines = guard('api.lines', hadCr || bytes.includes(CR)) ? withLf(bytes) : bytes;
      if (known === undefined) return void (lines.length > 0 && controller.enqueue(lines));
      const piece = decoder.decode(lines, { stream: true });
      const isEnd = `${held.at(-1)?.at(-1) ?? ''}${piece}`.includes('\n\n');
      if (piece !== '') held.push(piece);
      if (!isEnd) return;
      const text = held.join('');
      const end = text.lastIndexOf('\n\n') + 2;
      held = end === text.length ? [] : [text.slice(end)];
      const kept = dropUnknown(text.slice(0, end), known);
      if (kept !== '') controller.enqueue(encoder.encode(kept));
    },
    flush(controller) {
      const text = held.join('') + decoder.decode();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });

  /** A CR ends a line by itself, and together with the LF behind it, which may come later. */
  function withLf(bytes: Uint8Array): Uint8Array {
    const made = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      const isRest = byte === LF && hadCr;
      hadCr = byte === CR;
      if (isRest) continue;
      made[length] = hadCr ? LF : byte;
      length += 1;
    }
    return made.subarray(0, length);
  }
}

const dropUnknown = (text: string, known: ReadonlySet<string>): string =>
  text
    .split(/(?<=\n\n)/)
    .filter((event) => {
      const name = /^event: ?(.*)$/m.exec(event)?.[1];
      return !guard('api.unknown-event', name !== undefined && !known.has(name));
    })
    .join('');
