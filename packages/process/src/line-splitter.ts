import { guard } from '@cuebook/guard';

/** Cuts bytes into lines of UTF-8 text, whatever the borders of the chunks. Memory is bounded by one line. */
export interface LineSplitter {
  /** The lines that this chunk completes. Once a line was longer than the limit, nothing more is taken. */
  push(chunk: Uint8Array): { readonly lines: readonly string[]; readonly isLong: boolean };
  /** What stands after the last line break, as a line of its own. */
  end(): readonly string[];
}

/** Lines end with a line feed; a carriage return before it goes too. Bad UTF-8 becomes U+FFFD. */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  let held = new Uint8Array(Math.min(maxLineBytes, FIRST_HOLD));
  let length = 0;
  let isLong = false;

  const hold = (piece: Uint8Array): boolean => {
    if (guard('process.line', length + piece.length > maxLineBytes)) return false;
    if (length + piece.length > held.length) held = grown(held, length, piece.length);
    held.set(piece, length);
    length += piece.length;
    return true;
  };
  const take = (): string => {
    const line = textOf(held.subarray(0, length));
    length = 0;
    if (held.length > KEEP_HOLD) held = new Uint8Array(FIRST_HOLD);
    return line;
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let start = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0 && !isLong; at = chunk.indexOf(LINE_FEED, start)) {
        isLong = !hold(chunk.subarray(start, at));
        if (!isLong) lines.push(take());
        start = at + 1;
      }
      isLong ||= !hold(chunk.subarray(start));
      return { lines, isLong };
    },
    end: () => (length > 0 && !isLong ? [take()] : []),
  };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_HOLD = 4096;
/** A buffer past this is given back after its line. */
const KEEP_HOLD = 1 << 20;

// A byte order mark inside a stream of lines is text like any other.
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(line: Uint8Array): string {
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
  return DECODER.decode(line.subarray(0, end));
}

/** Doubling keeps the copying linear in the length of the line. */
function grown(held: Uint8Array, length: number, more: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(Math.max(held.length * 2, length + more));
  next.set(held.subarray(0, length));
  return next;
}
