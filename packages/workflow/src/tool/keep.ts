import { createHash } from 'node:crypto';
import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { clip, preview } from './clip.js';
import type { WorkflowToolResult } from './result.js';

/** In UTF-8 bytes of JSON: more of a result is kept and referred to. */
export const MAX_RESULT = 50_000;
const PREVIEW = 500;

/**
 * A result as a model is told of it: whole when it is small. A larger one is kept beside the logs, where tools
 * can read it and not change it, and its beginning and place are told. What was read from a file is not kept
 * again: the file is its own reference.
 */
export async function fitToolResult(
  result: WorkflowToolResult,
  keeper: Files | undefined,
): Promise<WorkflowToolResult> {
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (!guard('tool.result-size', bytes > MAX_RESULT) || !result.ok) return result;
  if (typeof result.content === 'string') {
    const { content, ...facts } = result;
    return { ...facts, ...preview(content, PREVIEW), ok: true };
  }
  const hint = 'The result is too large to be told whole. Narrow the call';
  const cut = { ok: true, truncated: true, bytes, preview: clip(text, PREVIEW) } as const;
  if (keeper === undefined) return { ...cut, hint: `${hint}.` };
  const storedAt = await keepValue(result, keeper);
  if (storedAt === undefined) return { ...cut, hint: `${hint}.` };
  return { ...cut, storedAt, hint: `${hint}, or read windows of storedAt with fs.read.` };
}

/**
 * What stands for an older result that has no more room in the conversation: where it is kept, and how it begins.
 * The record of the run has it whole, in its place.
 */
export async function keepResult(
  text: string,
  tool: string,
  keeper: Files | undefined,
): Promise<WorkflowToolResult> {
  const told = {
    ok: true,
    condensed: true,
    tool,
    bytes: Buffer.byteLength(text),
    preview: clip(printable(text), 100),
  } as const;
  const storedAt = keeper === undefined ? undefined : await keepValue(asValue(text), keeper);
  if (storedAt === undefined) return { ...told, hint: 'Call the tool again if you need the result.' };
  return { ...told, storedAt, hint: 'Read windows of storedAt with fs.read if you need the result.' };
}

/** A result that is told in part: as much of its beginning as there is room for, and the way to the rest. */
export function clipResult(text: string, kept: WorkflowToolResult, room: number): WorkflowToolResult {
  const bytes = Buffer.byteLength(text);
  const bare = { ok: true, condensed: true, bytes } as const;
  const frame = Buffer.byteLength(JSON.stringify({ ...kept, preview: '' }));
  return kept.ok && room > frame
    ? { ...kept, preview: clip(printable(text), room - frame) }
    : { ...bare, preview: clip(printable(text), Math.max(0, room - 100)) };
}

/** Without characters that take six bytes each in JSON. */
const printable = (text: string): string => text.replace(/[\p{Cc}]+/gu, ' ').toWellFormed();

/** Keeps a value under the name of its content, once; undefined when the disk refused. */
async function keepValue(value: JsonValue | WorkflowToolResult, keeper: Files): Promise<string | undefined> {
  // A line for each value, so that windows of it can be read.
  const whole = JSON.stringify(value, null, 1);
  const name = createHash('sha256').update(whole).digest('hex').slice(0, 32);
  const path = `logs/tool-results/${name}.json`;
  const kept = await keeper.writeText(path, whole, { ifMatch: 'absent' });
  return kept.ok || kept.error.code === 'E_FILE_CHANGED' ? `@state/${path}` : undefined;
}

function asValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
