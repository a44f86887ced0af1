import { guard } from '../guard.js';
import type { ArgsOf } from './args.js';
import { type ToolContext, toolPath } from './context.js';
import { failed, fromFileError, type ToolResult } from './result.js';

/** In bytes: a larger file is searched, not read. */
const MAX_FILE = 16 * 1024 * 1024;
/** In bytes: the beginning of a file that is too large to tell whole. */
const MAX_PREVIEW = 20_000;

/**
 * `fs.read`: a text file whole, or a window of lines. Hash and size are always those of the whole file. A file
 * over the policy's limit is told in part; a window over it is an error, since it was asked for.
 */
export async function readTool(context: ToolContext, args: ArgsOf<'fs.read'>): Promise<ToolResult> {
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
}

/** The beginning of a text and the way to the rest. */
export function preview(text: string, bytes: number) {
  return {
    truncated: true,
    contentPreview: clip(text, bytes),
    totalLines: text.split('\n').length,
    hint: 'Read a window with startLine and endLine, or find the place with fs.search.',
  };
}

/** At most so many UTF-8 bytes, whole characters only. */
export function clip(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes), 'utf8');
  if (encoded.length <= bytes) return encoded.toString('utf8');
  let end = bytes;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}
