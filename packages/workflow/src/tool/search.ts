import type { ArgsOf } from './args.js';
import { type ToolContext, toolPath } from './context.js';
import { fromFileError, type ToolResult } from './result.js';

/** `fs.search`: a text, taken literally, in all files below a directory. */
export async function searchTool(context: ToolContext, args: ArgsOf<'fs.search'>): Promise<ToolResult> {
  const at = await toolPath(context, args.path);
  if (!at.ok) return at.result;
  const { pattern, before, after, maxMatches } = args;
  const found = await context.files.search(at.path, { text: pattern, before, after, maxMatches });
  if (!found.ok) return fromFileError(found.error);
  const { matches, truncated, filesSearched, filesSkipped } = found.value;
  const looksLikeRegex = matches.length === 0 && /[\\^$*+?|]|\.\*|\[.*\]/.test(pattern);
  return {
    ok: true,
    matches: matches.map(({ path, line, column, text, before: above, after: below }) => ({
      path,
      line,
      column,
      text,
      before: [...above],
      after: [...below],
    })),
    truncated,
    stats: { filesSearched, filesSkipped },
    ...(looksLikeRegex ? { hint: 'The pattern is taken literally; it is not a regular expression.' } : {}),
  };
}
