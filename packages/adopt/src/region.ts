import { sha256Hex } from './provenance.js';

/** The lines around what export wrote into a file that people write too, and the header of a file that is all ours. */
const BEGIN = /^<!-- cuebook:begin ([^\s]+) sha256:([0-9a-f]{64}) -->\r?\n/m;
const END = /^<!-- cuebook:end -->(?:\r?\n|$)/m;

/** A region of a file that export wrote. */
export interface Region {
  readonly target: string;
  /** The hash that export gave the body when it wrote it. */
  readonly sha256: string;
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

/** The region that a target has in a file; undefined when there is none. */
export function findRegion(text: string, target: string): Region | undefined {
  return regionsOf(text).find((region) => region.target === target);
}

/** Every region of a file, in its order. A region without an end goes to the end of the file. */
export function regionsOf(text: string): readonly Region[] {
  const regions: Region[] = [];
  let from = 0;
  for (;;) {
    const begin = BEGIN.exec(text.slice(from));
    if (begin === null) return regions;
    const start = from + begin.index;
    const bodyStart = start + begin[0].length;
    const rest = text.slice(bodyStart);
    const end = END.exec(rest);
    const bodyEnd = bodyStart + (end?.index ?? rest.length);
    const stop = bodyEnd + (end?.[0].length ?? 0);
    regions.push({
      target: begin[1] ?? '',
      sha256: begin[2] ?? '',
      body: text.slice(bodyStart, bodyEnd),
      start,
      end: stop,
    });
    from = stop;
  }
}

/**
 * Where a file holds exactly the lines of a body once, outside of all regions: there export marks them in place, so that
 * no tool reads them twice. Undefined where it does not.
 */
export function findUnmarked(
  text: string,
  body: string,
): { readonly start: number; readonly end: number } | undefined {
  if (body.trim() === '') return undefined;
  const lines = text.endsWith('\n') ? text : `${text}\n`;
  const taken = regionsOf(text);
  const found: number[] = [];
  for (let at = lines.indexOf(body); at >= 0; at = lines.indexOf(body, at + 1))
    if (
      (at === 0 || lines[at - 1] === '\n') &&
      !taken.some(({ start, end }) => at < end && at + body.length > start)
    )
      found.push(at);
  const [start, ...more] = found;
  return start === undefined || more.length > 0
    ? undefined
    : { start, end: Math.min(start + body.length, text.length) };
}

/** A body as a region; it ends with a line break. */
export function printRegion(target: string, text: string): string {
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `<!-- cuebook:begin ${target} sha256:${sha256Hex(body)} -->\n${body}<!-- cuebook:end -->\n`;
}

/** Whether a region still holds what export wrote. */
export const isUntouched = ({ body, sha256 }: Region): boolean => sha256Hex(body) === sha256;

/** The pieces of a text between the lines that mark regions. */
export function withoutMarks(text: string): readonly { readonly text: string; readonly start: number }[] {
  const pieces: { readonly text: string; readonly start: number }[] = [];
  let from = 0;
  for (const mark of text.matchAll(MARK)) {
    pieces.push({ text: text.slice(from, mark.index), start: from });
    from = mark.index + mark[0].length;
  }
  return [...pieces, { text: text.slice(from), start: from }];
}

const MARK = new RegExp(`${BEGIN.source}|${END.source}`, 'gm');
