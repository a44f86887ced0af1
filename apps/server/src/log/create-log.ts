import type { Redactor } from '@cuebook/prompt';
import { type LogAbout, type LogEntry, problemEntry } from './log-entry.js';

/** Where a process writes what happens. */
export interface Log {
  /** Something went wrong and no caller is told. */
  problem(error: unknown, about?: LogAbout): void;
  /** The process starts, drains, ends. Not told in plain text: the command says it in its own words. */
  info(message: string): void;
  /** A warning for whoever started the process. */
  warn(message: string): void;
}

export interface LogOptions {
  /** Lines for a person. */
  readonly log: (line: string) => void;
  /** Entries instead of lines: for programs that collect logs. */
  readonly logEntry?: (entry: LogEntry) => void;
  readonly redactor: Redactor;
}

export function createLog(
  { log, logEntry, redactor }: LogOptions,
  who: Pick<LogEntry, 'role' | 'worker' | 'project'>,
): Log {
  return {
    problem(error, about = {}) {
      if (logEntry) logEntry({ ...problemEntry(error, redactor), ...who, ...definedOf(about) });
      else
        log(problemLines(error, [about.about, about.run, about.effect].filter(Boolean).join(' '), redactor));
    },
    info: (message) => logEntry?.({ level: 'info', message, ...who }),
    warn(words) {
      const message = redactor.redactText(words).text;
      if (logEntry) logEntry({ level: 'warn', message, ...who });
      else log(`Warning: ${message}`);
    },
  };
}

/** For a person at the process: what was thrown in its own words, masked, and where in the code it came from. */
function problemLines(error: unknown, about: string, redactor: Redactor): string {
  if (!(error instanceof Error)) return redactor.redactText(`${about}: ${JSON.stringify(error)}`).text;
  const { at = [] } = problemEntry(error, redactor);
  const said = redactor.redactText(`${about}: ${error.name}: ${error.message}`).text;
  return [said, ...at.map((frame) => `    at ${frame}`)].join('\n');
}

const definedOf = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
