import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';

/**
 * Arguments in which each shell command is written in one way: without comments, and without what is said about it
 * beside it. Two commands that a shell reads alike but for blanks, line ends and comments become the same text.
 */
export function foldCommands(input: JsonValue): JsonValue {
  if (!hasCommand(input)) return input;
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !ASIDES.has(name.toLowerCase()))
      .map(([name, value]) => [name, isCommand(name, value) ? foldCommand(value) : value]),
  );
}

/** Whether the arguments name a shell command: it may look as well as write. */
export const hasCommand = (input: JsonValue | undefined): input is { [name: string]: JsonValue } =>
  typeof input === 'object' &&
  input !== null &&
  !Array.isArray(input) &&
  Object.entries(input).some(([name, value]) => isCommand(name, value));

const isCommand = (name: string, value: unknown): value is string =>
  typeof value === 'string' && COMMANDS.has(name.toLowerCase().replace(/[_-]/g, ''));

const COMMANDS: ReadonlySet<string> = new Set(['command', 'cmd', 'script', 'shell', 'commandline']);
/** Words about a command that no shell reads. */
const ASIDES: ReadonlySet<string> = new Set([
  ...['description', 'reason', 'explanation', 'justification', 'thought', 'comment', 'note'],
]);

/**
 * Runs of blanks outside of quotes become one, comments none, an end of a line that is escaped a blank. Text in quotes
 * and behind `<<` stays as it is, to the letter. Linear in the text.
 */
export function foldCommand(command: string): string {
  if (command.includes('<<')) return command.trim();
  const words: string[] = [];
  let between = '';
  for (const { 0: token, index } of command.matchAll(TOKEN)) {
    if (/^(?:\s|\\\r?\n)/.test(token)) {
      const isEnd = !token.startsWith('\\') && token.includes('\n');
      between = isEnd || between === '\n' ? '\n' : ' ';
    } else if (!guard('stall.comment', token.startsWith('#') && !isInner(command, index))) {
      if (words.length > 0) words.push(between);
      words.push(token);
      between = '';
    }
  }
  while (/^;*$/.test(words.at(-1) ?? '-')) words.pop();
  const last = words.pop() ?? '';
  return words.join('') + (/^[\\'"]/.test(last) ? last : last.replace(/;+$/, ''));
}

const isInner = (command: string, at: number): boolean => /[^\s;&|()]/.test(command.charAt(at - 1));

/** A number sign begins a comment only where a word begins. What is escaped begins none. */
const TOKEN =
  /\\\r?\n|\\[\s\S]?#*|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\s+|(?<![^\s;&|()])#[^\n]*|[^\\'"\s#]+|(?<=[^\s;&|()])#+|['"]/g;
