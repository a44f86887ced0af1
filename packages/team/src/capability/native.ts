import type { Permit } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { lexicalPath, type PathFacts } from '@cuebook/workspace';
import type { TeamNode } from '../graph/node.js';
import { authorizeCommand, authorizeWrite } from './authorize.js';
import { isGated } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';

/** What a tool of an agent's own does, as far as its name says. */
export type NativeKind = 'read' | 'write' | 'command' | 'other';

/** The tools that the CLI agents and the Agent Client Protocol ask about, by the names they give. */
export function nativeKind(tool: string): NativeKind {
  const name = tool.toLowerCase().replace(/[^a-z]/g, '');
  if (COMMANDS.has(name)) return 'command';
  if (WRITES.has(name)) return 'write';
  return READS.has(name) ? 'read' : 'other';
}

/**
 * The paths that such a call names, as it names them: whatever stands under a key that speaks of a place, at any depth
 * and in any order, and the keys of a map of changes. One more that is none makes the answer stricter, never softer.
 */
export function nativePaths(input: JsonValue): readonly string[] {
  const named: string[] = [];
  const open: Within[] = [{ value: input, isPlace: false, isAddress: false, isMap: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isPlace } = next;
    if (typeof value === 'string') {
      if ((isPlace && value !== '') || (next.isAddress && FILE.test(value))) named.push(placeOf(value));
    } else if (typeof value === 'object' && value !== null) {
      const inside = Array.isArray(value) ? itemsOf(value, next) : fieldsOf(value, next, named);
      // In the order in which they stand.
      for (let at = inside.length - 1; at >= 0; at -= 1) open.push(inside[at] as Within);
    }
  }
  return [...new Set(named)];
}

interface Within {
  readonly value: JsonValue;
  /** The key above speaks of places. */
  readonly isPlace: boolean;
  readonly isAddress: boolean;
  /** The keys of this object are places. */
  readonly isMap: boolean;
}

const itemsOf = (values: readonly JsonValue[], { isPlace, isAddress }: Within): readonly Within[] =>
  values.map((value) => ({ value, isPlace, isAddress, isMap: false }));

function fieldsOf(value: object, { isPlace, isMap }: Within, named: string[]): readonly Within[] {
  return Object.entries(value as Readonly<Record<string, JsonValue>>).map(([key, item]) => {
    if (isMap) named.push(placeOf(key));
    return {
      value: item,
      isPlace: isPlaceKey(key) || (isPlace && WHOLE.test(key)),
      isAddress: ADDRESS_KEY.test(key),
      isMap: CHANGES.test(key),
    };
  });
}

/** `{ target: { value: … } }`: keys that say no more than the key above. */
const WHOLE = /^(?:name|value|text|url|href|raw|string|str|abs|absolute|relative|rel|full)$/i;
const CHANGES = /^(?:file_?)?changes$/i;

const FILE = /^file:/i;

/** `file:///a` is the place `/a`. */
function placeOf(text: string): string {
  if (!FILE.test(text)) return text;
  const path = text.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `move_path`, `targetFile`, `destination`, `to`. The texts of an edit, `new_string`, are none. */
const isPlaceKey = (key: string): boolean => PLACE_KEY.test(key.replace(/[^A-Za-z]/g, ''));
const PLACE_KEY =
  /(?:path|file|filename|dir|directory|folder|uri|location|destination|target|newname|document|symlink)s?$|(?:move|rename|copy|save|write|link|export|download)(?:to|as|into)$|^(?:to|from|source|src|dest|dst|cwd|out|output|root)$/i;
/** Under these only an address of a file is a place. */
const ADDRESS_KEY = /(?:url|href|link)s?$/i;

/** What the answer depends on beside the node and its call. */
export interface NativeContext {
  readonly globalMode: GlobalMode;
  /** It is what the agent and its model say that they want. Left out: the agent's program runs exactly this. */
  readonly claimed?: boolean;
  /** What the disk says of the paths that the call names, in order; without it the paths speak for themselves. */
  readonly paths?: readonly PathFacts[];
}

/**
 * What an agent that asks before it acts is told. What the rules of the node forbid is denied, by whatever name it is
 * asked for, and in PLANNING a write whose place is not told is denied too. Words that the agent and its model wrote
 * never make the answer softer: nobody is asked only where the agent's program runs exactly what it asks for, and
 * the rules of the node allow that.
 */
export function permitNative(
  node: TeamNode,
  { tool, input }: { readonly tool: string; readonly input: JsonValue },
  { globalMode, paths, claimed = false }: NativeContext,
): Permit {
  const kind = nativeKind(tool);
  const isWithheld = placesOf(input, paths).some((place) => place.kind === 'outside' && place.withheld);
  if (guard('native.withheld', isWithheld))
    return { kind: 'deny', reason: 'agents do not get this file: .git, state of Cuebook, keys, environment' };
  if (kind === 'other') return { kind: 'ask', reason: 'it is not known what this tool does' };
  const permit = ruleOf(kind, node, { globalMode, places: placesOf(input, paths) });
  if (permit.kind !== 'allow') return permit;
  if (isGated(node.permissions)) return { kind: 'ask', reason: 'this node asks before every act' };
  return guard('native.claimed', claimed)
    ? { kind: 'ask', reason: 'only the words of the agent say what this is' }
    : permit;
}

function ruleOf(
  kind: Exclude<NativeKind, 'other'>,
  node: TeamNode,
  { globalMode, places }: { readonly globalMode: GlobalMode; readonly places: readonly PathFacts[] },
): Permit {
  if (kind === 'read') return { kind: 'allow' };
  if (kind === 'command') return authorizeCommand(node, globalMode);
  return strictest(places.map((path) => authorizeWrite(node, path, globalMode)));
}

/** A write that does not say where it goes may go anywhere: it is judged as code. */
const placesOf = (input: JsonValue, paths: readonly PathFacts[] | undefined): readonly PathFacts[] => {
  const places = paths ?? nativePaths(input).map((path) => lexicalPath(path));
  return places.length > 0 ? places : [{ kind: 'folder', path: '.' }];
};

const strictest = (permits: readonly Permit[]): Permit =>
  permits.find(({ kind }) => kind === 'deny') ?? permits[0] ?? { kind: 'deny', reason: 'no path is named' };

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
