import { createRedactor } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { lookAt } from './look.js';

const REDACTOR = createRedactor({ roots: [], private: [], names: [] });
const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
const at = (text: string, more: object = {}) => [
  {
    pieces: [
      { text, origin: { kind: 'file', ref: 'texts/t.md', line: 1, column: 1 } as const, ...LABELS, ...more },
    ],
  },
];
const look = (text: string, more: object = {}) =>
  lookAt(at(text, more), REDACTOR).map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);

describe('a look at a text', () => {
  it('a credential is told at its place, and not printed', () => {
    const text = 'One.\nThe password: correct-horse-7-staple\n';
    expect(look(text)).toEqual(['W_REDACTED texts/t.md:2:15']);
    expect(JSON.stringify(lookAt(at(text), REDACTOR))).not.toContain('horse');
  });

  it('a placeholder is told at its place', () => {
    expect(look('One.\nHi é {{name}}')).toEqual(['W_PLACEHOLDER texts/t.md:2:6']);
  });

  it('frontmatter is told at its place', () => {
    expect(look('---\ntitle: A\n---\nOne.')).toEqual(['W_FRONTMATTER texts/t.md:1:1']);
  });

  it('nothing of confidential words is quoted', () => {
    expect(look('Hi {{name}}', { secrecy: 'confidential' })).toEqual([]);
  });

  it('many of a kind are counted', () => {
    const found = lookAt(at('password: correct-horse-7-staple\n'.repeat(100)), REDACTOR);
    expect(found.length).toBe(21);
    expect(found.at(-1)?.message).toContain('80 more');
  });
});
