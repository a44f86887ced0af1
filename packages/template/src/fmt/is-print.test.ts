import { expect, test } from 'vitest';
import { isPrint } from './is-print.js';

test('printable are as many characters as in Go 1.27', () => {
  let count = 0;
  for (let code = 0; code <= 0x10ffff; code++) if (isPrint(code)) count++;
  expect(count).toBe(159_613);
});

test('every character that was assigned long ago is as the engine has it', () => {
  // Blocks that no version of Unicode changes any more.
  const blocks = [
    [0x0, 0x377],
    [0x2000, 0x2064],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0xd800, 0xf8ff],
    [0xff01, 0xffbe],
    [0x1f300, 0x1f6d7],
    [0xe0000, 0xe01ef],
    [0xf0000, 0x10ffff],
  ] as const;
  for (const [first, last] of blocks) {
    for (let code = first; code <= last; code++) {
      if (isPrint(code) !== PRINTABLE.test(String.fromCodePoint(code))) expect.fail(`U+${code.toString(16)}`);
    }
  }
});

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
