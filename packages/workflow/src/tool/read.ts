import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { TOOLS } from '../shipped-texts.js';
import { line, path } from './args.js';
import { preview } from './clip.js';
import { toolPath } from './context.js';
import { failed, fromFileError } from './result.js';
import { fileTool } from './tool.js';

/** In bytes: a larger file is searched, not read. */
const MAX_FILE = 16 * 1024 * 1024;
/** In bytes: the beginning of a file that is too large to tell whole. */
const MAX_PREVIEW = 20_000;

/**
 * A text file whole, or a window of lines. Hash and size are always those of the whole file. A file over the policy's
 * limit is told in part; a window over it is an error, since it was asked for.
 */
export const readTool = fileTool({
  ...TOOLS.tool('fs.read'),
  args: z
    .strictObject({ path, startLine: line.optional(), endLine: line.optional() })
    .refine(({ startLine = 1, endLine }) => endLine === undefined || endLine >= startLine, {
      message: 'it is before startLine',
      path: ['endLine'],
    }),
  takes: '{ path, startLine?, endLine? }',
  safety: 'idempotent',
  parallel: true,
  async run(context, args) {
    const at = await toolPath(context, args.path);
    if (!at.ok) return at.result;
    const found = await context.files.readDocument(at.path, { limit: MAX_FILE });
    if (!found.ok) return fromFileError(found.error);
    const { text, sha256, size, path } = found.value;
    const { maxReadBytes } = context.policy.fs;
    const facts = { ok: true, path, bytes: size, sha256 } as const;
    if (args.startLine !== undefined || args.endLine !== undefined) {
      const lines = text.split('\n');
      const { startLine = 1, endLine = lines.length } = args;
      const content = lines.slice(startLine - 1, endLine).join('\n');
      const bytes = Buffer.byteLength(content);
      if (guard('tool.window-limit', bytes > maxReadBytes)) {
        return failed(
          'E_READ_LIMIT',
          `The window has ${bytes} bytes, and ${maxReadBytes} may be read at once: ${path}`,
        );
      }
      const shown = { startLine, endLine: Math.min(endLine, lines.length), totalLines: lines.length };
      return { ...facts, ...shown, truncated: false, content };
    }
    if (!guard('tool.read-limit', size > maxReadBytes)) return { ...facts, truncated: false, content: text };
    return { ...facts, ...preview(text, Math.min(maxReadBytes, MAX_PREVIEW)) };
  },
});
