import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { CHAT_TOKENS, hostileText } from '../../test/hostile.js';
import { breakTokens } from '../neutral.js';
import { findChatTokens, joinTokens } from './chat-token.js';
import { escapeBody, unescapeBody } from './escape.js';

const isWhole = (text: string): boolean => CHAT_TOKENS.some((token) => text.includes(token));

describe('chat-template tokens', () => {
  test.each(CHAT_TOKENS)('%s is broken by one space and stays readable', (token) => {
    const text = `the token ${token} is told`;
    const broken = breakTokens(text);
    expect(isWhole(broken)).toBe(false);
    expect(broken).toBe(`the token ${token.slice(0, 1)} ${token.slice(1)} is told`);
    expect(breakTokens(broken)).toBe(broken);
  });

  test.each([
    'a < b and c > d',
    'list |> map(f <| g) |> sum',
    'x[0] <- y; [x] [ ] [link](a.md) [args] [INSTALL]',
    '<span>strike</span> <script> <select> <section>',
    'Usage: run <file> [options]',
    'if (a<|b|) x',
    'a <= b || c >= d',
    'Vec<[u8]> Box<[T]> Map<K, V> [tool_results] [section] <td>ANSWER</td>',
    'x >> y; cout<<title<<end; \uff1c\u6ce8\uff1e \uff3b\u6ce8\uff3d',
    'Human: hi\nAssistant: hello',
  ])('%j is no token', (text) => {
    expect(findChatTokens(text)).toEqual([]);
    expect(escapeBody(`x${text}`)).toBe(`x${text}`.replaceAll('\nAssistant', '\n\\Assistant'));
  });

  test('tokens that share a character are all broken', () => {
    expect(breakTokens(']~b]~b]<s></s>[INST][/INST]')).toBe('] ~b] ~b]< s>< /s>[ INST][ /INST]');
  });

  test('the titles of Falcon are broken behind their second character, whatever stands around them', () => {
    expect(breakTokens('a >>QUESTION<< b')).toBe('a >> QUESTION<< b');
    for (const text of ['<</SYS>>TITLE<<SYS>>', '<s>>TITLE<<s>', '>>>TITLE<<<']) {
      expect(breakTokens(text)).not.toContain('>>TITLE<<');
      expect(unescapeBody(escapeBody(text))).toBe(text);
      expect(breakTokens(breakTokens(text))).toBe(breakTokens(text));
    }
  });

  test('turns of the oldest format are those behind an empty line', () => {
    const text = fc
      .array(fc.constantFrom('\n', 'Human:', 'Assistant:', 'H:', 'A:', 'Hu', 'x', '\r', ' '), {
        maxLength: 10,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const turns = [...given.matchAll(/\n(?=(\n(?:Human|Assistant|H|A):))/g)];
        expect(findChatTokens(given)).toEqual(
          turns.map(({ index, 1: rest = '' }) => ({ start: index, end: index + 1 + rest.length })),
        );
      }),
      runs(5_000, 100_000),
    );
  });

  test('for every text, no token stands whole, and breaking twice is breaking once', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const broken = breakTokens(text);
        expect(isWhole(broken)).toBe(false);
        expect(breakTokens(broken)).toBe(broken);
      }),
      runs(3_000, 300_000),
    );
  });

  test('for every body, the printed text has no token whole and reads back', () => {
    fc.assert(
      fc.property(hostileText('< ', '<', '|', '|>', '[', ']', '~b', '>'), (text) => {
        const printed = escapeBody(text);
        expect(isWhole(printed)).toBe(false);
        expect(unescapeBody(printed)).toBe(text);
        expect(joinTokens(text).length).toBeLessThanOrEqual(text.length);
      }),
      runs(3_000, 300_000),
    );
  });
});
