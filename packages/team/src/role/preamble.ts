import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { parse, TomlError } from 'smol-toml';
import { foldWord, MEANT_CAPABILITIES, MEANT_CONSTRAINTS } from './template.js';

/** What the `[template]` block at the top of a role template says. */
export interface Preamble {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly constraints: readonly string[];
}

/** A preamble as far as it could be read, and what is wrong with it. */
export interface ReadPreamble {
  readonly preamble: Preamble;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the preamble of a template called `name`. It begins on the first line and ends at the first blank one.
 * Every problem at once, each with its line. Every key may be left out: the name is then the file's, and what is not
 * declared the role may not do.
 */
export function readPreamble(name: string, file: string, text: string): ReadPreamble {
  const nothing: Preamble = { name, version: '', capabilities: [], constraints: [] };
  const problems = createProblems(file);
  const lines = blockOf(text);
  if (lines === undefined) {
    problems.warn(1, 'The template has no [template] preamble on its first line, so it declares no rights');
    return { preamble: nothing, diagnostics: problems.found };
  }
  const table = parseBlock(lines, problems);
  if (table === undefined) return { preamble: nothing, diagnostics: problems.found };
  const lineOf = (key: string): number => Math.max(1, lines.findIndex((line) => keyOn(line) === key) + 1);
  for (const key of Object.keys(table)) {
    if (KEYS.includes(key)) continue;
    const meant = nearest(key, KEYS);
    problems.warn(
      lineOf(key),
      `"${key}" is not a key of a preamble${meant === undefined ? '' : `. Did you mean "${meant}"?`}`,
    );
  }
  const word = (key: 'name' | 'version'): string => {
    const value = table[key];
    if (typeof value === 'string' && value !== '') return value;
    if (value !== undefined) problems.error(lineOf(key), `The preamble's ${key} is a text in quotes`);
    return nothing[key];
  };
  const list = (key: 'capabilities' | 'constraints'): readonly string[] => {
    const value = table[key];
    if (Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isWord)) return value as string[];
    if (value !== undefined)
      problems.error(lineOf(key), `The preamble's ${key} are a list of at most ${MAX_ITEMS} words in quotes`);
    return [];
  };
  const preamble: Preamble = {
    name: word('name'),
    version: word('version'),
    capabilities: list('capabilities'),
    constraints: list('constraints'),
  };
  if (guard('role.declared-name', preamble.name !== name))
    problems.error(lineOf('name'), `The preamble says "${preamble.name}" and the file is called "${name}"`);
  for (const word of preamble.capabilities) {
    const meant = meantBy(word, MEANT_CAPABILITIES);
    if (meant !== undefined)
      problems.warn(lineOf('capabilities'), `"${word}" gives no right. Did you mean "${meant}"?`);
  }
  for (const word of preamble.constraints) {
    const meant = meantBy(foldWord(word), MEANT_CONSTRAINTS);
    if (meant !== undefined)
      problems.warn(lineOf('constraints'), `"${word}" forbids nothing. Did you mean "${meant}"?`);
  }
  return { preamble, diagnostics: problems.found };
}

const KEYS: readonly string[] = ['name', 'version', 'capabilities', 'constraints'];
/** A word that Cuebook acts on and that this one is almost. */
const meantBy = (word: string, known: readonly string[]): string | undefined =>
  known.includes(word) ? undefined : nearest(word, known);

const MAX_ITEMS = 64;
/** Lines of a preamble that are looked at. */
const MAX_LINES = 200;

const isWord = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 200;

/** The lines from `[template]` to the first blank line; undefined when the text does not begin with it. */
function blockOf(text: string): readonly string[] | undefined {
  const lines = text.slice(0, 64 * 1024).split('\n', MAX_LINES);
  if (lines[0]?.trim() !== '[template]') return undefined;
  const end = lines.findIndex((line) => line.trim() === '');
  return (end === -1 ? lines : lines.slice(0, end)).map((line) => line.replace(/\r$/, ''));
}

function parseBlock(
  lines: readonly string[],
  problems: Problems,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const { template, ...others } = parse(lines.join('\n')) as Record<string, unknown>;
    const stray = Object.keys(others)[0];
    if (stray !== undefined) problems.warn(1, `The table [${stray}] means nothing here`);
    return template as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const line = Math.min(error.line, lines.length);
    problems.error(line, `The preamble is not TOML: ${error.message.split('\n', 1)[0]}`, error.column);
    return undefined;
  }
}

const keyOn = (line: string): string | undefined => /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1];

interface Problems {
  readonly found: Diagnostic[];
  readonly error: (line: number, message: string, column?: number) => void;
  readonly warn: (line: number, message: string) => void;
}

function createProblems(file: string): Problems {
  const found: Diagnostic[] = [];
  return {
    found,
    error: (line, message, column = 1) =>
      void found.push({ code: 'E_ROLE', severity: 'error', message, file, line, column }),
    warn: (line, message) =>
      void found.push({ code: 'W_ROLE', severity: 'warning', message, file, line, column: 1 }),
  };
}
