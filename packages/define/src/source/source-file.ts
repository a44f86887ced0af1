import type { Labels, Origin, Piece, Place } from '@cuebook/prompt';
import { type LiteralRun, literalRuns } from './literal.js';
import type { OutlineOf } from './outline.js';
import type { Outline } from './outline-node.js';

/** A definition file: what its values are told by. */
export interface SourceFile {
  readonly path: string;
  /** The place of the value at a path, or of the nearest thing around it that is written out. */
  readonly place: (path: readonly PropertyKey[]) => Required<Place>;
  /**
   * The string at a path as pieces. Text that stands in the file as it is has its exact place; what is escaped
   * or computed has the place where it starts.
   */
  readonly pieces: (path: readonly PropertyKey[], value: string, labels: Labels) => readonly Piece[];
  /** The origin of the value at a path: of a string that stands in the file as it is, that slice. */
  readonly origin: (path: readonly PropertyKey[], value: unknown) => Origin;
}

/** Reads a definition file's outline when it is first asked for. */
export function sourceFile(path: string, text: string, outlineOf: OutlineOf): SourceFile {
  let outline: Outline | undefined | null = null;
  const placeAt = placesIn(path, text);
  const root = (): Outline | undefined => {
    if (outline === null) outline = outlineOf(path, text);
    return outline;
  };
  const place: SourceFile['place'] = (at) => {
    const { outline: found, isWhole } = walk(root(), at);
    return placeAt((isWhole ? found?.key : undefined) ?? found?.start ?? 0);
  };
  /** The runs of the literal at a path, if it says the value. */
  const runsAt = ({ outline: found, isWhole }: Walked, value: string): readonly LiteralRun[] | undefined => {
    if (!isWhole || found?.literalEnd === undefined) return undefined;
    const runs = literalRuns(text, found.start, found.literalEnd);
    return runs?.map((run) => run.text).join('') === value ? runs : undefined;
  };
  return {
    path,
    place,
    origin: (at, value) => {
      const runs = typeof value === 'string' ? runsAt(walk(root(), at), value) : undefined;
      const slice = runs?.length === 1 && runs[0]?.verbatim === true ? runs[0] : undefined;
      return slice === undefined ? { kind: 'value', ...place(at) } : { kind: 'file', ...placeAt(slice.at) };
    },
    pieces: (at, value, labels) => {
      if (value === '') return [];
      const walked = walk(root(), at);
      const runs = runsAt(walked, value);
      if (runs === undefined) {
        const start = walked.outline?.start ?? 0;
        return [{ text: value, origin: { kind: 'value', ...placeAt(start) }, ...labels }];
      }
      return runs.map((run) => ({
        text: run.text,
        origin: { kind: run.verbatim ? 'file' : 'value', ...placeAt(run.at) },
        ...labels,
      }));
    },
  };
}

/** The place of each offset of a text. */
export function placesIn(path: string, text: string): (offset: number) => Required<Place> {
  let lines: readonly number[] | undefined;
  // Places are mostly asked for in text order: counting goes on from the last one, so that a long line with many
  // of them is counted once.
  let last = { offset: 0, line: 0, column: 1 };
  return (offset) => {
    lines ??= lineStarts(text);
    const line = lineOf(lines, offset);
    const from =
      line === last.line && offset >= last.offset ? last : { offset: lines[line - 1] ?? 0, line, column: 1 };
    last = { offset, line, column: from.column + codePoints(text, from.offset, offset) };
    return { ref: path, line, column: last.column };
  };
}

interface Walked {
  readonly outline: Outline | undefined;
  readonly isWhole: boolean;
}

/** The outline at a path, or the innermost one on the way there. */
function walk(root: Outline | undefined, path: readonly PropertyKey[]): Walked {
  let here = root;
  for (const step of path) {
    const next: Outline | undefined =
      typeof step === 'number' ? here?.items?.[step] : here?.entries?.get(String(step));
    if (next === undefined) return { outline: here, isWhole: false };
    here = next;
  }
  return { outline: here, isWhole: here !== undefined };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of the last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
