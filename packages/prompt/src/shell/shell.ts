/** One field: `- key: value`, or `- key:` with one `  - item` line each. */
export interface ShellField<Value = string> {
  readonly key: string;
  readonly value: Value | readonly Value[];
}

/**
 * A machine-parseable block: a header line, fields, and a free body. `closed` shells end with a line of their
 * own (`HEADER_END`): that is the fence around text that is not trusted.
 */
export interface Shell<Value = string, Body = string> {
  /** Upper-case words joined by underscores, at least two, the last not `END`. */
  readonly header: string;
  readonly fields: readonly ShellField<Value>[];
  /** Absent and empty are different: an empty body is a line of its own. */
  readonly body?: Body;
  readonly closed?: true;
}

/** Why a text is not a sequence of printed shells. `line` counts from 1. */
export interface ShellSyntaxError {
  readonly code: 'E_SHELL_SYNTAX';
  readonly line: number;
  readonly expected: 'header' | 'value' | 'text' | 'line feed' | 'blank line' | 'end';
}
