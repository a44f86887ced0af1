/**
 * What a run of text is:
 * - `file`      a verbatim slice of a source file, so positions inside it can be counted on
 * - `value`     text decoded from a source (a quoted or folded scalar, an escape): the place is that of its start
 * - `variable`  the printed value of a declared variable that no source spells as it is, or a fact of a run
 * - `input`     text handed in (command line, chat, standard input); with an event of a run as `ref`, the one that holds it
 * - `result`    what a tool, command or function answered
 * - `shipped`   text that comes with Cuebook itself: with a line, a verbatim slice of a file of its packages
 * - `structure` a token of the shell grammar: header, key, escape, fence end
 * - `redaction` what stands where something was removed or aliased; `via` names the text it replaced
 */
export const ORIGIN_KINDS = [
  'file',
  'value',
  'variable',
  'input',
  'result',
  'shipped',
  'structure',
  'redaction',
] as const;
export type OriginKind = (typeof ORIGIN_KINDS)[number];

/** A place in a source: `line` and `column` count from 1, columns in code points. */
export interface Place {
  readonly ref: string;
  readonly line?: number;
  readonly column?: number;
}

/** A place in a source as it was when a turn was told. Only answers about a record say more than the place. */
export interface SourcePlace extends Place {
  /** `sha256:` and the hex digest of the source. */
  readonly hash?: string;
  /** The commit that was checked out when the source was read, in a repository. */
  readonly commit?: string;
}

/** Where a run of text comes from. `via` is what led to it, outermost first: includes, and the conditions on the way. */
export interface Origin extends SourcePlace {
  readonly kind: OriginKind;
  /** What the text is, whatever file it lies in, where that is known: `ConfigMap default/prompts tone`. */
  readonly subject?: string;
  readonly via?: readonly SourcePlace[];
  /** Why the place may be another one. Only answers about a record have it, where the record does not settle it. */
  readonly guess?: string;
}

/** Whether the text is a verbatim slice of what its place names, so that places inside it can be counted on. */
export const isVerbatim = ({ kind, line }: Origin): boolean =>
  kind === 'file' || (kind === 'shipped' && line !== undefined);

/** The origin of text that was made from a slice and no longer is one: the place is that of its start. */
export const decodedOrigin = (origin: Origin): Origin =>
  isVerbatim(origin) ? { ...origin, kind: 'value' } : origin;

/** `prompts/a.md:3:1`, as far as the place is known. */
export function describePlace(place: Place): string {
  if (place.line === undefined) return place.ref;
  return place.column === undefined
    ? `${place.ref}:${place.line}`
    : `${place.ref}:${place.line}:${place.column}`;
}

/** The place `text.length` further on, for verbatim text that starts at `start`. */
export function advancePlace(start: Place, text: string): Place {
  if (start.line === undefined) return start;
  let line = start.line;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  const columns = [...text.slice(lineStart)].length;
  const column = lineStart === 0 ? (start.column ?? 1) + columns : 1 + columns;
  return { ref: start.ref, line, column };
}
