import { loadStripper } from './stripper.js';

/** An import that leads nowhere. The message is ours and names no real path. */
export class ImportFailure extends Error {}

const MAX_MESSAGE = 300;

/**
 * The failure of loading `file`. The place is the innermost line of a project file on the stack.
 *
 * @param {unknown} error
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts the project's files by path
 * @returns {import('../src/load/protocol.js').LoadFailure}
 */
export function failureOf(error, file, texts) {
  if (error instanceof ImportFailure) {
    return { reason: 'import', message: error.message, ...placeOfImport(error, file, texts) };
  }
  const message = messageOf(error);
  if (isStripError(error)) {
    const { startLine, startColumn, filename } = error;
    return { reason: 'syntax', message, file: filename, line: startLine, column: startColumn + 1 };
  }
  if (error instanceof SyntaxError) return { reason: 'syntax', message, ...placeOfSyntax(file, texts) };
  return { reason: 'throw', message, ...placeOnStack(error, file, texts) };
}

/** @param {unknown} error */
function messageOf(error) {
  try {
    const text = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : error;
    return String(text).replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE);
  } catch {
    // A thrown value whose text cannot be had: its own code throws again.
    return 'a value that cannot be shown';
  }
}

/**
 * @param {unknown} error
 * @returns {error is { startLine: number, startColumn: number, filename: string }}
 */
const isStripError = (error) =>
  typeof error === 'object' && error !== null && typeof Reflect.get(error, 'startLine') === 'number';

/**
 * @param {unknown} error
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts
 */
function placeOnStack(error, file, texts) {
  const stack = error instanceof Error ? String(error.stack).slice(0, 8_000) : '';
  for (const [, path = '', line, column] of stack.matchAll(/(?:\(|at )([^\s()]+):(\d+):(\d+)\)?$/gm)) {
    if (texts.has(path)) return { file: path, line: Number(line), column: Number(column) };
  }
  return { file, line: 1, column: 1 };
}

/**
 * V8 does not say where a module's syntax is wrong; the stripper does.
 *
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts
 */
function placeOfSyntax(file, texts) {
  try {
    loadStripper()(texts.get(file) ?? '', file);
  } catch (error) {
    if (isStripError(error)) return { file, line: error.startLine, column: error.startColumn + 1 };
  }
  return { file, line: 1, column: 1 };
}

/**
 * Where the specifier is written, when it is written as it stands.
 *
 * @param {ImportFailure} error
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts
 */
function placeOfImport(error, file, texts) {
  const { specifier, referrer = file } = /** @type {{ specifier?: string, referrer?: string }} */ (
    error.cause ?? {}
  );
  const text = texts.get(referrer) ?? '';
  const at = [`'${specifier}'`, `"${specifier}"`]
    .map((each) => text.indexOf(each))
    .find((found) => found !== -1);
  if (at === undefined) return { file: referrer, line: 1, column: 1 };
  const before = text.slice(0, at).split('\n');
  return { file: referrer, line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}
