import { guard } from '@cuebook/guard';
import type { Piece } from './block.js';
import type { Place } from './origin.js';
import { fail, ok, type Result } from './result.js';

/** A text is made of pieces and of other texts, named. `at` is where the include is written. */
export type IncludePart = Piece | { readonly include: string; readonly at: Place };

/** A place in a text that whoever resolves it fills in, such as an input. `via`: the includes that led to it, outermost first. */
export interface Slot {
  readonly slot: string;
  readonly via?: readonly Place[];
}

export type IncludeError =
  | { readonly code: 'E_INCLUDE_CYCLE'; readonly at: Place; readonly path: readonly string[] }
  | { readonly code: 'E_INCLUDE_UNKNOWN'; readonly at: Place; readonly name: string }
  | { readonly code: 'E_INCLUDE_TOO_LARGE'; readonly at: Place; readonly what: 'deep' | 'many' };

/** Includes inside includes: deeper than any book of texts that a person keeps. */
export const MAX_INCLUDE_DEPTH = 1_000;
/** Includes in all: more than this is not a prompt but a chain of texts that double each other. */
export const MAX_INCLUDE_STEPS = 100_000;

/**
 * Replaces every include by the parts of the named text, at any depth, in place and with nothing between.
 * Each piece that came through includes says so in its origin's `via`, outermost first. The same text twice
 * is fine; a text inside itself is refused with the path that leads there. Slots stay, and say how they were reached.
 */
export function resolveIncludes(
  parts: readonly IncludePart[],
  lookup: (name: string) => readonly IncludePart[] | undefined,
): Result<readonly Piece[], IncludeError>;
export function resolveIncludes<Open extends Slot>(
  parts: readonly (IncludePart | Open)[],
  lookup: (name: string) => readonly (IncludePart | Open)[] | undefined,
): Result<readonly (Piece | Open)[], IncludeError>;
export function resolveIncludes<Open extends Slot>(
  parts: readonly (IncludePart | Open)[],
  lookup: (name: string) => readonly (IncludePart | Open)[] | undefined,
): Result<readonly (Piece | Open)[], IncludeError> {
  const pieces: (Piece | Open)[] = [];
  const stack: Frame<Open>[] = [{ parts, next: 0, via: [] }];
  const open = new Set<string>();
  for (let steps = 0; stack.length > 0; steps += 1) {
    const frame = stack[stack.length - 1] as Frame<Open>;
    const part = frame.parts[frame.next];
    if (part === undefined) {
      stack.pop();
      if (frame.name !== undefined) open.delete(frame.name);
      continue;
    }
    frame.next += 1;
    if (!('include' in part)) {
      pieces.push(frame.via.length === 0 ? part : throughIncludes(part, frame.via));
      continue;
    }
    const { include: name, at } = part;
    if (guard('include.cycle', open.has(name))) {
      const names = stack.flatMap((each) => each.name ?? []);
      return fail({ code: 'E_INCLUDE_CYCLE', at, path: [...names.slice(names.indexOf(name)), name] });
    }
    if (guard('include.depth', stack.length > MAX_INCLUDE_DEPTH)) {
      return fail({ code: 'E_INCLUDE_TOO_LARGE', at, what: 'deep' });
    }
    if (guard('include.steps', steps >= MAX_INCLUDE_STEPS)) {
      return fail({ code: 'E_INCLUDE_TOO_LARGE', at, what: 'many' });
    }
    const included = lookup(name);
    if (included === undefined) return fail({ code: 'E_INCLUDE_UNKNOWN', at, name });
    open.add(name);
    stack.push({ name, parts: included, next: 0, via: [...frame.via, at] });
  }
  return ok(pieces);
}

/** The sentence for an include that cannot be resolved. */
export function describeIncludeError(error: IncludeError): string {
  switch (error.code) {
    case 'E_INCLUDE_CYCLE':
      return `The text "${error.path[0]}" includes itself: ${error.path.join(' -> ')}`;
    case 'E_INCLUDE_UNKNOWN':
      return `No text is called "${error.name}"`;
    case 'E_INCLUDE_TOO_LARGE':
      return error.what === 'deep'
        ? `The includes are more than ${MAX_INCLUDE_DEPTH} deep`
        : `The includes come to more than ${MAX_INCLUDE_STEPS} steps`;
  }
}

interface Frame<Open> {
  readonly name?: string;
  readonly parts: readonly (IncludePart | Open)[];
  readonly via: readonly Place[];
  next: number;
}

function throughIncludes<Open extends Slot>(part: Piece | Open, via: readonly Place[]): Piece | Open {
  if ('slot' in part) return { ...part, via: [...via, ...(part.via ?? [])] };
  return { ...part, origin: { ...part.origin, via: [...via, ...(part.origin.via ?? [])] } };
}
