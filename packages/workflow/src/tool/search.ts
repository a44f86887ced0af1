import { z } from 'zod';
import { TOOLS } from '../shipped-texts.js';
import { path } from './args.js';
import { toolPath } from './context.js';
import { fromFileError } from './result.js';
import { fileTool } from './tool.js';

/** A text, taken literally, in all files below a directory. */
export const searchTool = fileTool({
  ...TOOLS.tool('fs.search'),
  args: z.strictObject({
    path,
    pattern: z.string().min(1).max(1000),
    before: z.int().min(0).max(20).default(1),
    after: z.int().min(0).max(20).default(1),
    maxMatches: z.int().min(1).max(1000).default(50),
  }),
  takes: '{ path, pattern, before?, after?, maxMatches? }; pattern is taken literally',
  safety: 'idempotent',
  parallel: true,
  async run(context, args) {
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
  },
});
