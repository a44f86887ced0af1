import { createHash } from 'node:crypto';
import { guard, guarded } from '@cuebook/guard';
import { z } from 'zod';
import { TOOLS } from '../shipped-texts.js';
import { STATE_PATH } from '../state/document.js';
import { path, sha } from './args.js';
import { type ToolContext, toolPath } from './context.js';
import { failed, fromFileError, fromStateError, type WorkflowToolResult } from './result.js';
import { fileTool } from './tool.js';

/**
 * A text file, whole or not at all. The state file goes through the rules of the state. A new file under the artifacts
 * is entered into the state; where that fails the file is taken back.
 */
export const writeTool = fileTool({
  ...TOOLS.tool('fs.write'),
  args: z.strictObject({ path, content: z.string(), ifMatchSha256: sha.optional() }),
  takes: '{ path, content, ifMatchSha256? }',
  safety: 'observable',
  changesState: (args) => /^\s*@state/i.test(String(Object(args).path ?? '')),
  async run(context, args) {
    const at = await toolPath(context, args.path);
    if (!at.ok) return at.result;
    const { content, ifMatchSha256 } = args;
    const bytes = Buffer.byteLength(content);
    const { maxWriteBytes } = context.policy.fs;
    if (guard('tool.write-limit', bytes > maxWriteBytes)) {
      return failed(
        'E_WRITE_LIMIT',
        `The content has ${bytes} bytes, and ${maxWriteBytes} may be written at once`,
      );
    }
    if (at.isState) return writeState(context, content, ifMatchSha256);
    const before = await versionOf(context, at.path);
    const isNew = before === 'absent';
    const ifMatch = ifMatchSha256 ?? (context.beforeWrite !== undefined || isNew ? before : undefined);
    const planned = { path: at.path, before: before ?? 'unknown', after: sha256Of(content) };
    if (context.beforeWrite !== undefined && !(await context.beforeWrite(planned))) {
      return failed('TOOL_EXEC_FAILED', 'The call could not be noted down, so nothing was written');
    }
    const written = await context.files.writeText(at.path, content, ifMatch === undefined ? {} : { ifMatch });
    if (!written.ok) return fromFileError(written.error);
    const { path, size, sha256 } = written.value;
    const refused = isNew ? await enterArtifact(context, path, sha256) : undefined;
    return refused ?? { ok: true, path, bytesWritten: size, sha256After: sha256 };
  },
});

/** The sha256 of what is there, `absent`, or undefined where it cannot be read. */
export async function versionOf(
  { files }: Pick<ToolContext, 'files'>,
  path: string,
): Promise<string | undefined> {
  const found = await files.stat(path);
  if (!found.ok) return found.error.code === 'E_FILE_NOT_FOUND' ? 'absent' : undefined;
  const bytes = await files.readBytes(path, { limit: MAX_HASHED });
  return bytes.ok ? sha256Of(bytes.value) : undefined;
}

const MAX_HASHED = 64 * 1024 * 1024;

const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function writeState(
  { state }: ToolContext,
  content: string,
  sha: string | undefined,
): Promise<WorkflowToolResult> {
  if (state === undefined) return fromStateError({ code: 'E_STATE_UNAVAILABLE' });
  const written = await state.write(content, sha);
  if (!written.ok) return fromStateError(written.error);
  const { sha256Before, sha256After } = written.value;
  return { ok: true, path: STATE_PATH, bytesWritten: Buffer.byteLength(content), sha256Before, sha256After };
}

const ARTIFACTS = '@project/artifacts/';

/** Undefined when all is well. After completion the state is a person's: the file stays, and nothing is entered. */
export async function enterArtifact(
  { files, state }: ToolContext,
  path: string,
  sha256: string,
): Promise<WorkflowToolResult | undefined> {
  if (state === undefined || !path.startsWith(ARTIFACTS)) return undefined;
  const update = { artifacts: { append: [path.slice('@project/'.length)] } };
  const entered = await state.patch({ operation: 'updateFrontmatter', update });
  if (entered.ok || entered.error.code === 'STATE_CHANGE_REQUIRES_CONFIRMATION') return undefined;
  await guarded('tool.roll-back', () => files.remove(path, { ifMatch: sha256 }));
  return fromStateError(entered.error);
}
