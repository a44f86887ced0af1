import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';

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

/**
 * Walks a JSON text once, in time linear in its length, and refuses what two parsers could read differently.
 * `maxDepth` counts arrays and objects inside one another.
 */
export function scanJson(text: string, maxDepth: number): Result<void, JsonProblem> {
  let at = 0;
  let nextEscape = text.indexOf('\\');

  const refuse = (reason: JsonProblem['reason']): never => {
    throw new Refused({ code: 'E_JSON', reason, at });
  };
  const skip = (): void => {
    SPACE.lastIndex = at;
    if (SPACE.test(text)) at = SPACE.lastIndex;
  };

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
    return value;
  };
  const number = (): void => {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) refuse('syntax');
    const raw = text.slice(at, NUMBER.lastIndex);
    const value = Number(raw);
    const unsafe = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
    if (guard('json.number', unsafe)) refuse('number');
    at = NUMBER.lastIndex;
  };
  const word = (expected: string): void => {
    if (!text.startsWith(expected, at)) refuse('syntax');
    at += expected.length;
  };
  const value = (depth: number): void => {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        string();
        return;
      case OPEN_OBJECT:
        object(depth + 1);
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
  const object = (depth: number): void => {
    if (guard('json.depth', depth > maxDepth)) refuse('too-deep');
    at += 1;
    skip();
    if (text.charCodeAt(at) === CLOSE_OBJECT) {
      at += 1;
      return;
    }
    const seen = new Set<string>();
    for (;;) {
      const name = string();
      if (guard('json.duplicate', seen.has(name))) refuse('duplicate');
      if (guard('json.prototype', name === '__proto__')) refuse('prototype');
      seen.add(name);
      skip();
      if (text.charCodeAt(at) !== COLON) refuse('syntax');
      at += 1;
      skip();
      value(depth);
      skip();
      const next = text.charCodeAt(at);
      at += 1;
      if (next === CLOSE_OBJECT) return;
      if (next !== COMMA) refuse('syntax');
      skip();
    }
  };
  const array = (depth: number): void => {
    if (guard('json.depth', depth > maxDepth)) refuse('too-deep');
    at += 1;
    skip();
    if (text.charCodeAt(at) === CLOSE_ARRAY) {
      at += 1;
      return;
    }
    for (;;) {
      value(depth);
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
    value(0);
    skip();
    if (at !== text.length) refuse('syntax');
    return ok(undefined);
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

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
