import { describe, expect, it } from 'vitest';
import { plain } from './plain.js';

const CASES = [
  ['colours of a terminal', '\x1b[31;1mred\x1b[0m done', 'red done'],
  ['a title that a terminal would take', 'a\x1b]0;owned\x07b', 'ab'],
  ['a link that a terminal would show', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['a turned direction', 'user\u202egnp.exe', 'user[U+202E]gnp.exe'],
  ['a lone control character', 'a\x07b', 'a[U+0007]b'],
  ['ordinary text', 'Grüße, 世界.\n\tنص', 'Grüße, 世界.\n\tنص'],
] as const;

describe('plain', () => {
  it.each(CASES)('makes %s readable', (_name, given, shown) => {
    expect(plain(given)).toBe(shown);
  });
});
