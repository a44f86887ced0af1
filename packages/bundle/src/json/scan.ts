import { fail, ok, type Result } from '@cuebook/prompt';
import { guard } from '../guard.js';

/** Why a text is refused before anything parses it. `at` counts UTF-16 units from 0. */
export interface JsonProblem {
  readonly code: 'E_JSON';
  readonly reason:
    | 'too-large'
    | 'not-utf8'
    | 'syntax'
    | 'too-deep'
    | 'duplicate'
    | 'surrogate'
    | 'number'
    | 'prototype'
    | 'not-canonical';
  readonly at: number;
}

export interface ScanOptions {
  /** Arrays and objects inside one another. */
  readonly depth: number;
  /** Takes only the RFC 8785 form: members in order, no space, one spelling of each number and string. */
  readonly canonical: boolean;
}

/** Where a member of a top-level object's member stands: from its name to the end of its value. */
export interface Marked {
  readonly start: number;
  readonly end: number;
}

/**
 * Walks a JSON text once, in time linear in its length, and refuses what two parsers could read differently.
 * Answers the place of the member `mark[1]` of the top-level member `mark[0]`, if it is there.
 */
export function scanJson(
  text: string,
  options: ScanOptions,
  mark?: readonly [string, string],
): Result<Marked | undefined, JsonProblem> {
  const { canonical } = options;
  let at = 0;
  let nextEscape = text.indexOf('\\');
  let marked: Marked | undefined;

  const refuse = (reason: JsonProblem['reason']): never => {
    throw new Refused({ code: 'E_JSON', reason, at });
  };
  const space = (): void => {
    SPACE.lastIndex = at;
    if (SPACE.test(text)) at = SPACE.lastIndex;
  };
  // A canonical text has no space, so none is skipped and any is a syntax error.
  const skip = canonical ? () => undefined : space;

  const string = (): string => {
    const start = at;
    if (text.charCodeAt(start) !== QUOTE) refuse('syntax');
    if (nextEscape !== -1 && nextEscape < start) nextEscape = text.indexOf('\\', start);
    let end = text.indexOf('"', start + 1);
    const escaped = nextEscape !== -1 && nextEscape < end;
    // Each escape takes the character after it along; quote and escape are looked for once each.
    while (end !== -1 && nextEscape !== -1 && nextEscape < end) {
      const after = nextEscape + 2;
      if (end < after) end = text.indexOf('"', after);
      nextEscape = text.indexOf('\\', after);
    }
    if (end < 0) refuse('syntax');
    at = end + 1;
    return escaped ? decode(text.slice(start, at)) : text.slice(start + 1, end);
  };
  const decode = (raw: string): string => {
    let value = '';
    try {
      value = JSON.parse(raw) as string;
    } catch {
      // Not one of the nine escapes; which one is of no interest.
      refuse('syntax');
    }
    if (guard('json.surrogate', !value.isWellFormed())) refuse('surrogate');
    if (guard('json.canonical', canonical && JSON.stringify(value) !== raw)) refuse('not-canonical');
    return value;
  };
  const number = (): void => {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) refuse('syntax');
    const raw = text.slice(at, NUMBER.lastIndex);
    const value = Number(raw);
    const unsafe = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
    if (guard('json.number', unsafe)) refuse('number');
    if (guard('json.canonical', canonical && String(value) !== raw)) refuse('not-canonical');
    at = NUMBER.lastIndex;
  };
  const word = (expected: string): void => {
    if (!text.startsWith(expected, at)) refuse('syntax');
    at += expected.length;
  };
  const value = (depth: number, path: readonly string[]): void => {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        string();
        return;
      case OPEN_OBJECT:
        object(depth + 1, path);
        return;
      case OPEN_ARRAY:
        array(depth + 1);
        return;
      case 0x74:
        word('true');
        return;
      case 0x66:
        word('false');
        return;
      case 0x6e:
        word('null');
        return;
      default:
        number();
    }
  };
  const object = (depth: number, path: readonly string[]): void => {
    if (guard('json.depth', depth > options.depth)) refuse('too-deep');
    at += 1;
    skip();
    if (text.charCodeAt(at) === CLOSE_OBJECT) {
      at += 1;
      return;
    }
    const seen = canonical ? undefined : new Set<string>();
    let before: string | undefined;
    for (;;) {
      const start = at;
      const name = string();
      const again = seen === undefined ? name === before : seen.has(name);
      if (guard('json.duplicate', again)) refuse('duplicate');
      if (guard('json.canonical', canonical && before !== undefined && name < before))
        refuse('not-canonical');
      if (guard('json.prototype', name === '__proto__')) refuse('prototype');
      seen?.add(name);
      before = name;
      skip();
      if (text.charCodeAt(at) !== COLON) refuse('syntax');
      at += 1;
      skip();
      value(depth, depth === 1 ? [name] : NOWHERE);
      if (mark !== undefined && depth === 2 && path[0] === mark[0] && name === mark[1])
        marked = { start, end: at };
      skip();
      const next = text.charCodeAt(at);
      at += 1;
      if (next === CLOSE_OBJECT) return;
      if (next !== COMMA) refuse('syntax');
      skip();
    }
  };
  const array = (depth: number): void => {
    if (guard('json.depth', depth > options.depth)) refuse('too-deep');
    at += 1;
    skip();
    if (text.charCodeAt(at) === CLOSE_ARRAY) {
      at += 1;
      return;
    }
    for (;;) {
      value(depth, NOWHERE);
      skip();
      const next = text.charCodeAt(at);
      at += 1;
      if (next === CLOSE_ARRAY) return;
      if (next !== COMMA) refuse('syntax');
      skip();
    }
  };

  try {
    skip();
    value(0, NOWHERE);
    skip();
    if (at !== text.length) refuse('syntax');
    return ok(marked);
  } catch (error) {
    if (error instanceof Refused) return fail(error.problem);
    throw error;
  }
}

/** Carries a problem out of the walk; it never leaves this file. */
class Refused extends Error {
  readonly problem: JsonProblem;
  constructor(problem: JsonProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

const NOWHERE: readonly string[] = [];
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
