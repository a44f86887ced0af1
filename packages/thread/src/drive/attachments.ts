import type { FileResult } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Redactor, type Result } from '@cuebook/prompt';
import type { Attachment } from '../run/message.js';
import { cleanBytes, describeBytes } from './clean-bytes.js';
import type { DriveParts } from './parts.js';

/** In bytes. A larger file is not attached. */
export const MAX_ATTACHMENT = 16 * 1024 * 1024;
/** Files of one message. */
export const MAX_ATTACHMENTS = 50;

/** Why a file is not attached. */
export interface AttachError {
  readonly code: 'E_ATTACHMENT' | 'E_ATTACHMENT_WITHHELD' | 'E_ATTACHMENT_SECRET';
  readonly message: string;
}

export interface AttachInput {
  readonly paths: readonly string[];
  /** Who names them. A person has a right to every file of the project but CUEBOOK_HOME. */
  readonly by: 'agent' | 'person';
  readonly redactor: Redactor;
}

/**
 * Reads files for a message. Their bytes are kept as they are now, so that a later request tells the same, and without
 * what no text may tell.
 */
export async function attach(
  { files, home, store }: Pick<DriveParts, 'files' | 'home' | 'store'>,
  { paths, by, redactor }: AttachInput,
): Promise<Result<readonly Attachment[], AttachError>> {
  if (paths.length > MAX_ATTACHMENTS)
    return fail({ code: 'E_ATTACHMENT', message: `A message has ${MAX_ATTACHMENTS} attachments at most.` });
  const allowed = files?.withhold({ from: by, ...(home === undefined ? {} : { home }) });
  const found: Attachment[] = [];
  for (const path of paths) {
    const read = await allowed?.readBytes(path.replace(/^\/+/, ''), { limit: MAX_ATTACHMENT });
    if (guard('attachment.missing', read?.ok !== true)) return fail(notRead(path, read));
    const clean = await cleanBytes((read as { readonly value: Uint8Array }).value, redactor);
    if (!clean.ok)
      return fail({
        code: 'E_ATTACHMENT_SECRET',
        message: `The attachment ${quoted(path)} is not attached: it ${describeBytes(clean.error)}.`,
      });
    found.push({ path, type: typeOf(path), blob: await store.putBlob(clean.value) });
  }
  return ok(found);
}

function notRead(path: string, read: FileResult<unknown> | undefined): AttachError {
  const error = read?.ok === false ? read.error : undefined;
  if (error?.code === 'E_SANDBOX_VIOLATION' && error.reason === 'withheld')
    return {
      code: 'E_ATTACHMENT_WITHHELD',
      message: `The attachment ${quoted(path)} is not available: state of Cuebook, .git, keys, environment files and ignored secrets are not attached.`,
    };
  const why = error?.code === 'E_FILE_TOO_LARGE' ? 'is too large' : 'is not there';
  return { code: 'E_ATTACHMENT', message: `The attachment ${quoted(path)} ${why}.` };
}

const quoted = (path: string): string => JSON.stringify(path.slice(0, 200));

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
