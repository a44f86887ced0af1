import { fail, ok, type Result } from '@cuebook/prompt';
import { guard } from '../guard.js';
import type { Attachment } from '../run/message.js';
import type { DriveParts } from './parts.js';

/** In bytes. A larger file is not attached. */
export const MAX_ATTACHMENT = 16 * 1024 * 1024;
/** Files of one message. */
export const MAX_ATTACHMENTS = 50;

/** Reads files for a message. Their bytes are kept as they are now, so that a later request tells the same. */
export async function attach(
  { files, store }: Pick<DriveParts, 'files' | 'store'>,
  paths: readonly string[],
): Promise<Result<readonly Attachment[], string>> {
  if (paths.length > MAX_ATTACHMENTS) return fail(`A message has ${MAX_ATTACHMENTS} attachments at most.`);
  const found: Attachment[] = [];
  for (const path of paths) {
    const inside = path.replace(/^\/+/, '');
    const read = await files?.readBytes(inside, { limit: MAX_ATTACHMENT });
    if (guard('attachment.missing', read?.ok !== true)) {
      const isLarge = read?.ok === false && read.error.code === 'E_FILE_TOO_LARGE';
      return fail(
        `The attachment ${JSON.stringify(path.slice(0, 200))} ${isLarge ? 'is too large' : 'is not there'}.`,
      );
    }
    const { value } = read as { readonly value: Uint8Array };
    found.push({ path, type: typeOf(path), blob: await store.putBlob(value) });
  }
  return ok(found);
}

function typeOf(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? 'application/octet-stream';
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
};
