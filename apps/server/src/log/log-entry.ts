import { describeJournalError, JournalFailure } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';

/** A line of the log as data. It holds ids, codes, names of errors and places in our code; no word of a run. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** Who writes it. */
  readonly role: 'server' | 'worker';
  readonly worker: string;
  readonly project?: string;
  readonly run?: string;
  readonly effect?: string;
  /** What was asked of a server: method and path of the route, without what a caller put into it. */
  readonly about?: string;
  readonly code?: string;
  /** The name of a thrown error, and where in the code it came from. */
  readonly error?: string;
  readonly at?: readonly string[];
}

/** What a problem is about. */
export type LogAbout = Pick<LogEntry, 'run' | 'effect' | 'about'>;

/** What may be told of a problem. `level` is `error` for what was thrown, and `warn` for what was foreseen. */
export type LoggedProblem = Pick<LogEntry, 'level' | 'message' | 'code' | 'error' | 'at'>;

/**
 * What may be told of a problem. The message of a thrown error may hold anything, a line of a prompt for one: it is left
 * out. A text is a sentence of our own code, and passes the masks.
 */
export function problemEntry(problem: unknown, redactor: Redactor): LoggedProblem {
  if (typeof problem === 'string') {
    const message = redactor.redactText(problem.slice(0, MAX_TEXT)).text;
    return { level: 'warn', message, ...codeOf(/\bE_[A-Z][A-Z0-9_]{1,60}\b/.exec(message)?.[0]) };
  }
  if (problem instanceof JournalFailure)
    return { level: 'error', message: describeJournalError(problem.error), code: problem.error.code };
  const { code } = Object(problem) as { readonly code?: unknown };
  if (!(problem instanceof Error))
    return { level: 'warn', message: 'Something could not be done.', ...codeOf(code) };
  return {
    level: 'error',
    message: 'Something failed that nobody expected.',
    ...codeOf(code),
    ...(/^[A-Z][A-Za-z]{0,60}$/.test(problem.name) && isBare(redactor, problem.name)
      ? { error: problem.name }
      : {}),
    at: framesOf(problem).filter((frame) => isBare(redactor, frame)),
  };
}

const MAX_TEXT = 500;
const MAX_FRAMES = 8;

/** Codes of ours, of Node and of Postgres. */
const codeOf = (code: unknown): { readonly code?: string } =>
  typeof code === 'string' && /^(?:E_?[A-Z][A-Z0-9_]{1,60}|[0-9A-Z]{5})$/.test(code) ? { code } : {};

const isBare = (redactor: Redactor, text: string): boolean => redactor.find(text).length === 0;

/** Function, file and line of each frame. Lines of the message never count as frames. */
function framesOf({ name, message, stack = '' }: Error): readonly string[] {
  const head = message === '' ? name : `${name}: ${message}`;
  if (!stack.startsWith(`${head}\n`)) return [];
  return stack
    .slice(head.length + 1)
    .split('\n')
    .flatMap((line) => {
      const [, called = '', file, at] = FRAME.exec(line) ?? [];
      return file === undefined ? [] : [`${called.trim()} ${file}:${at}`.trim()];
    })
    .slice(0, MAX_FRAMES);
}

const FRAME =
  /^ {4}at (?:async )?([\w.$<> ]{0,80}?) ?\(?(?:file:\/\/|node:)?[^()\s]*?([\w.-]{1,80}\.[mc]?[jt]s):(\d+):\d+\)?$/;
