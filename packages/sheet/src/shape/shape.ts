import { guard } from '@cuebook/guard';
import { type Pattern, readPattern } from '@cuebook/profile/pattern';
import { findInvisible, isOneLine } from '@cuebook/prompt';
import { z } from 'zod';

/** The most characters of a line that an input may be. */
const MAX_LINE = 1_000;

const oneLine = z
  .string()
  .min(1)
  .max(MAX_LINE)
  .refine((text) => isOneLine(text), 'a text of enum is one line');

/** What an input of a sheet looks like, so that it can stand in a line of the author's. */
export const shapeSchema = z.union(
  [
    z.strictObject({
      line: z.number().int().positive().max(MAX_LINE),
      pattern: z.string().optional().superRefine(checkPattern),
    }),
    z.strictObject({ enum: z.array(oneLine).min(1) }),
  ],
  'a shape is { line, pattern } or { enum }',
);

export type InputShape = z.infer<typeof shapeSchema>;

function checkPattern(pattern: string | undefined, { addIssue }: z.RefinementCtx): void {
  const read = pattern === undefined ? undefined : readPattern(pattern);
  if (read?.ok === false) addIssue({ code: 'custom', message: `the pattern is not taken: ${read.error}` });
}

/** Why a value does not fit; undefined when it does. Nothing of the value is repeated. */
export function misfit(value: string, shape: InputShape): string | undefined {
  if ('enum' in shape) {
    return shape.enum.includes(value) ? undefined : `it is none of ${shape.enum.join(', ')}`;
  }
  const { line, pattern } = shape;
  if (guard('shape.line', !isOneLine(value))) return 'it is more than one line';
  if (guard('shape.length', [...value].length > line)) return `it is longer than ${line} characters`;
  if (guard('shape.hidden', !value.isWellFormed() || findInvisible(value).length > 0)) {
    return 'it holds characters that nobody sees';
  }
  if (guard('shape.pattern', pattern !== undefined && !patternOf(pattern).matchesAll(value))) {
    return `it does not match ${pattern}`;
  }
  return undefined;
}

/** A pattern of a sheet has been read before, when the sheet was. */
function patternOf(pattern: string): Pattern {
  const known = KNOWN.get(pattern) ?? readPattern(pattern);
  if (KNOWN.size > MAX_KNOWN) KNOWN.clear();
  KNOWN.set(pattern, known);
  return known.ok ? known.value : NOTHING;
}

const KNOWN = new Map<string, ReturnType<typeof readPattern>>();
const MAX_KNOWN = 1_000;
const NOTHING: Pattern = { matchesAll: () => false, matchesPart: () => false };
