import { isDeepStrictEqual } from 'node:util';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../agent/fields.js';

/** What an agent says of a call by which it changes something. */
export const ACTS: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute']);

/**
 * Whether a call that is over is another act than the one that was asked for under its id. Agents show the arguments of
 * a call in one shape here and in another there: what both say has to be the same, a command has to stand in the words
 * that were asked, and so has the name of each file that was changed. A command that was allowed may change any file.
 */
export function isOtherAct(request: Fields, call: Fields): boolean {
  const [wanted, done] = [textOf(request.kind), textOf(call.kind)];
  if (wanted !== '' && (!ACTS.has(wanted) || (wanted !== 'execute' && wanted !== done))) return true;
  return (
    saysOther(request.rawInput, call.rawInput) || runsOther(request, call) || changesOther(request, call)
  );
}

function saysOther(was: unknown, is: unknown): boolean {
  if (was === undefined || was === null || is === undefined || is === null) return false;
  if (!isFields(was) || !isFields(is)) return !isDeepStrictEqual(was, is);
  return Object.keys(was).some((key) => Object.hasOwn(is, key) && !isDeepStrictEqual(was[key], is[key]));
}

/** A command under another key than in the request, or where the request had none. */
function runsOther(request: Fields, call: Fields): boolean {
  const commands = Object.entries(fieldsOf(call.rawInput)).flatMap(([key, value]) =>
    COMMANDS.has(key.toLowerCase()) ? [leavesOf(value)] : [],
  );
  const words = wordsOf(request);
  if (commands.length === 0 || words.length === 0) return false;
  return commands.some((parts) => !parts.some((part) => words.some((word) => word.includes(part))));
}

const COMMANDS: ReadonlySet<string> = new Set(['cmd', 'command', 'script', 'argv', 'shell']);

/** A file that the request does not name, in a call that is no command. */
function changesOther(request: Fields, call: Fields): boolean {
  if (textOf(request.kind) === 'execute') return false;
  const words = wordsOf({ ...request, title: undefined });
  const named = [...words, textOf(request.title)];
  const files = listOf(call.content).flatMap((part) => {
    const { type, path } = fieldsOf(part);
    return type === 'diff' && typeof path === 'string' ? [path.split(/[\\/]/).at(-1) ?? path] : [];
  });
  return words.length > 0 && files.some((file) => !named.some((word) => word.includes(file)));
}

/** All texts by which a request says what is to be done. */
const wordsOf = ({ rawInput, content, locations, title }: Fields): readonly string[] =>
  [rawInput, content, locations, title].flatMap(leavesOf);

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
