import { expect, test } from 'vitest';
import { FAMILIES } from './families.js';
import { kindsIn, kindsOf } from './run-kinds.js';

test('a token has only characters of the kinds of its family', () => {
  const others: string[] = [];
  for (const { name, parts } of FAMILIES) {
    for (const part of parts) {
      const allowed = part.kind === 'some' ? new RegExp(`[${part.alphabet}]`) : undefined;
      for (let code = 0; code < 128; code += 1) {
        const char = String.fromCharCode(code);
        const isIn = part.kind === 'fixed' ? part.text.includes(char) : allowed?.test(char);
        if (isIn && (kindsIn(char, 0, 1) & ~kindsOf(parts)) !== 0) others.push(`${name} ${char}`);
      }
    }
  }
  expect(others).toEqual([]);
  expect(kindsIn('aZ9_-+/', 0, 7) & ~kindsIn('aZ9_-+/', 0, 6)).not.toBe(0);
});
