import { join } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import type { JsonValue } from '@cuebook/api';
import { subject } from '../team/text/call-lines.js';
import { type ChangedText, sidesOf } from './patch.js';

/** A call as an editor shows it, whoever makes it. */
export interface ShownCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
  /** Who makes it, where that is worth saying. */
  readonly name?: string | undefined;
}

/** A call that begins. */
export const callBegins = (
  { id, tool, input, name }: ShownCall,
  status: 'pending' | 'in_progress',
): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId: id,
  ...shownAs({ tool, input, name }),
  status,
});

/** The same as the request for a permission has it. */
export const shownAs = ({ tool, input, name }: Omit<ShownCall, 'id'>) => ({
  title: `${name === undefined ? '' : `${name}: `}${`${tool} ${subject(input)}`.trim()}`,
  name: tool,
  kind: kindOf(tool),
  rawInput: input,
});

/** A call that is over. */
export const callEnds = (
  id: string,
  {
    text,
    isError,
    content,
  }: { readonly text: string; readonly isError: boolean; readonly content?: ToolCallContent[] },
): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  status: isError ? 'failed' : 'completed',
  content: [...(content ?? []), ...(text === '' ? [] : [said(text)])],
});

export const said = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });

/** Changes of files, for an editor that shows them side by side. Paths are those of the project's folder. */
export const diffsOf = (changes: readonly ChangedText[], folder: string): ToolCallContent[] =>
  changes.map(({ file, before, after }) => ({
    type: 'diff',
    path: join(folder, file),
    oldText: before,
    newText: after,
  }));

/** The same of patches, each of one file. */
export const patchDiffs = (
  changes: readonly { readonly file: string; readonly patch: string }[],
  folder: string,
): ToolCallContent[] =>
  diffsOf(
    changes.map(({ file, patch }) => sidesOf(file, patch)),
    folder,
  );

/** The kind of a tool by its name: editors choose a picture by it, and nothing else. */
export function kindOf(tool: string): ToolKind {
  const words = new Set(tool.toLowerCase().split(/[^a-z]+/));
  for (const [kind, names] of KINDS) if (names.some((name) => words.has(name))) return kind;
  return 'other';
}

const KINDS: readonly (readonly [ToolKind, readonly string[]])[] = [
  ['delete', ['delete', 'remove', 'rm']],
  ['move', ['move', 'rename', 'mv']],
  ['edit', ['edit', 'write', 'patch', 'apply', 'create', 'replace']],
  ['execute', ['command', 'terminal', 'bash', 'shell', 'exec', 'execute']],
  ['search', ['search', 'find', 'grep', 'glob', 'list']],
  ['fetch', ['fetch', 'http', 'web', 'download']],
  ['read', ['read', 'view', 'cat', 'get']],
  ['think', ['think', 'plan']],
];
