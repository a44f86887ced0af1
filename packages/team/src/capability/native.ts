import type { Permit } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { TeamNode } from '../graph/node.js';
import { authorizeCommand, authorizeWrite, type GlobalMode } from './authorize.js';
import { isGated } from './capabilities.js';
import { lexicalPath, type PathFacts } from './path.js';

/** What a tool of an agent's own does, as far as it is known by its name. */
export type NativeKind = 'read' | 'write' | 'command' | 'other';

/** The tools that the CLI agents and the Agent Client Protocol ask about, by the names they give. */
export function nativeKind(tool: string): NativeKind {
  const name = tool.toLowerCase().replace(/[^a-z]/g, '');
  if (COMMANDS.has(name)) return 'command';
  if (WRITES.has(name)) return 'write';
  return READS.has(name) ? 'read' : 'other';
}

/** The paths that such a call names, as it names them. */
export function nativePaths(input: JsonValue): readonly string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const record = input as Readonly<Record<string, JsonValue>>;
  const named = PATH_KEYS.flatMap((key) => (typeof record[key] === 'string' ? [record[key] as string] : []));
  const { changes, paths } = record;
  if (Array.isArray(paths)) named.push(...paths.filter((path) => typeof path === 'string'));
  if (Array.isArray(changes)) return [...named, ...changes.flatMap(nativePaths)];
  const isMap = typeof changes === 'object' && changes !== null;
  return isMap ? [...named, ...Object.keys(changes)] : named;
}

/** What the answer depends on beside the node and its call. */
export interface NativeContext {
  readonly globalMode: GlobalMode;
  /** What the disk says of the paths that the call names, in order; without it the paths speak for themselves. */
  readonly paths?: readonly PathFacts[];
}

/**
 * What an agent that asks before it acts is told. What nobody knows the meaning of is asked of a person, and in
 * PLANNING a write whose place is not told is denied.
 */
export function permitNative(
  node: TeamNode,
  { tool, input }: { readonly tool: string; readonly input: JsonValue },
  { globalMode, paths }: NativeContext,
): Permit {
  const kind = nativeKind(tool);
  if (kind === 'read') return { kind: 'allow' };
  if (kind === 'other') return { kind: 'ask', reason: 'it is not known what this tool does' };
  const permit =
    kind === 'command'
      ? authorizeCommand(node, globalMode)
      : strictest(placesOf(input, paths).map((path) => authorizeWrite(node, path, globalMode)));
  return permit.kind === 'allow' && isGated(node.permissions)
    ? { kind: 'ask', reason: 'this node asks before every act' }
    : permit;
}

/** A write that does not say where it goes may go anywhere: it is judged as code. */
const placesOf = (input: JsonValue, paths: readonly PathFacts[] | undefined): readonly PathFacts[] => {
  const places = paths ?? nativePaths(input).map((path) => lexicalPath(path));
  return places.length > 0 ? places : [{ kind: 'folder', path: '.' }];
};

const strictest = (permits: readonly Permit[]): Permit =>
  permits.find(({ kind }) => kind === 'deny') ?? permits[0] ?? { kind: 'deny', reason: 'no path is named' };

const PATH_KEYS = ['file_path', 'filePath', 'notebook_path', 'path', 'absolute_path', 'dir_path'];
const COMMANDS = new Set([
  'bash',
  'shell',
  'exec',
  'execute',
  'execcommand',
  'commandexecution',
  'runshellcommand',
]);
const WRITES = new Set([
  ...['write', 'edit', 'multiedit', 'notebookedit', 'delete', 'move', 'applypatch', 'filechange', 'patch'],
  ...['writefile', 'replace', 'createfile', 'deletefile'],
]);
const READS = new Set([
  ...[
    'read',
    'grep',
    'glob',
    'ls',
    'search',
    'think',
    'todowrite',
    'listdirectory',
    'readfile',
    'readmanyfiles',
  ],
  ...['searchfilecontent', 'grepsearch', 'notebookread', 'exitplanmode'],
]);
