import { expect, test } from 'vitest';
import type { Piece } from './block.js';
import { describeIncludeError, type IncludePart, resolveIncludes } from './include.js';

const text = (content: string): Piece => ({
  text: content,
  origin: { kind: 'file', ref: 'f.md', line: 1, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
});
const include = (name: string, line = 1): IncludePart => ({ include: name, at: { ref: 'book.yaml', line } });
const resolve = (parts: readonly IncludePart[], texts: Record<string, readonly IncludePart[]>) =>
  resolveIncludes(parts, (name) => (Object.hasOwn(texts, name) ? texts[name] : undefined));
const words = (parts: readonly IncludePart[], texts: Record<string, readonly IncludePart[]>): string => {
  const result = resolve(parts, texts);
  if (!result.ok) throw new Error(describeIncludeError(result.error));
  return result.value.map((piece) => piece.text).join('');
};

test('included text stands in place with nothing between, twice if included twice', () => {
  expect(words([text('X'), include('z'), text('Y'), include('z')], { z: [text('Z')] })).toBe('XZYZ');
});

test('a piece knows the include chain it came through, outermost first', () => {
  const result = resolve([include('a', 7)], { a: [include('b', 9)], b: [text('B')] });
  expect(result.ok && result.value[0]?.origin.via).toEqual([
    { ref: 'book.yaml', line: 7 },
    { ref: 'book.yaml', line: 9 },
  ]);
});

test('a cycle is refused with its path', () => {
  const texts = { a: [include('b')], b: [text('x'), include('c')], c: [include('b', 3)] };
  const result = resolve([include('a')], texts);
  expect(result).toEqual({
    ok: false,
    error: { code: 'E_INCLUDE_CYCLE', at: { ref: 'book.yaml', line: 3 }, path: ['b', 'c', 'b'] },
  });
  if (!result.ok)
    expect(describeIncludeError(result.error)).toBe('The text "b" includes itself: b -> c -> b');
});

test('a text that includes itself is refused', () => {
  expect(resolve([include('a')], { a: [include('a')] })).toMatchObject({
    ok: false,
    error: { code: 'E_INCLUDE_CYCLE', path: ['a', 'a'] },
  });
});

test('an unknown text is refused by name, also names that objects have by birth', () => {
  for (const name of ['nope', '__proto__', 'constructor']) {
    expect(resolve([include(name)], {})).toMatchObject({
      ok: false,
      error: { code: 'E_INCLUDE_UNKNOWN', name },
    });
  }
});

const chain = (length: number): Record<string, readonly IncludePart[]> =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [`t${i}`, i === length - 1 ? [text('end')] : [include(`t${i + 1}`)]]),
  );

test('a chain of 1,000 resolves, a deeper one is refused', () => {
  expect(words([include('t0')], chain(1_000))).toBe('end');
  expect(resolve([include('t0')], chain(1_001))).toMatchObject({
    ok: false,
    error: { code: 'E_INCLUDE_TOO_LARGE', what: 'deep' },
  });
});

test('texts that double each other end with an error, not with the memory', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `t${i}`,
      [include(`t${i + 1}`), include(`t${i + 1}`)] as readonly IncludePart[],
    ]),
  );
  expect(resolve([include('t0')], { ...texts, t60: [text('x')] })).toMatchObject({
    ok: false,
    error: { code: 'E_INCLUDE_TOO_LARGE', what: 'many' },
  });
});
