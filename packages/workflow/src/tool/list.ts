import { z } from 'zod';
import { TOOLS } from '../shipped-texts.js';
import { path } from './args.js';
import { toolPath } from './context.js';
import { fromFileError } from './result.js';
import { fileTool } from './tool.js';

const MAX_ENTRIES = 200;

/** What stands in a directory, without hidden names and links. */
export const listTool = fileTool({
  ...TOOLS.tool('fs.list'),
  args: z.strictObject({ path }),
  takes: '{ path }',
  safety: 'idempotent',
  parallel: true,
  async run(context, args) {
    const at = await toolPath(context, args.path);
    if (!at.ok) return at.result;
    const found = await context.files.list(at.path);
    if (!found.ok) return fromFileError(found.error);
    const { path, entries, truncated } = found.value;
    const shown = entries
      .filter(({ name, kind }) => !name.startsWith('.') && kind !== 'symlink')
      .map(({ name, kind }) => ({ name, kind }));
    if (shown.length <= MAX_ENTRIES && !truncated) return { ok: true, path, entries: shown };
    const hint = `There are ${truncated ? 'more than ' : ''}${shown.length} entries. List a directory below, or use fs.search.`;
    return { ok: true, path, entriesPreview: shown.slice(0, MAX_ENTRIES), truncated: true, hint };
  },
});
