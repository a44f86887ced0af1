import { describe, expect, test } from 'vitest';
import type { Value } from '../value/value.js';
import { htmlEscape, jsEscape, urlQueryEscape } from './escape.js';

type Case = readonly [readonly Value[], string];

const HTML: readonly Case[] = [
  [['a<b>&"c"\'d\'=e'], 'a&lt;b&gt;&amp;&#34;c&#34;&#39;d&#39;=e'],
  [['\0\x1f\x7f\n\t\\'], '\ufffd\x1f\x7f\n\t\\'],
  [['héé 日本 😀'], 'héé 日本 😀'],
  [['\u00a0\u2028\ufeff\u{e0001}'], '\u00a0\u2028\ufeff\u{e0001}'],
  [['\uDCC3x'], '\udcc3x'],
  [['a b+c/d?e=f&g~-_.%'], 'a b+c/d?e=f&amp;g~-_.%'],
  [[''], ''],
  [[null], '&lt;no value&gt;'],
  [[null, 1, 2], '&lt;no value&gt;1 2'],
  [[1, 2], '1 2'],
  [[1, 'a', 2, 'b', 'c'], '1a2bc'],
  [[true], 'true'],
  [[[1, '<', null]], '[1 &lt; &lt;nil&gt;]'],
  [[{ a: '&' }], 'map[a:&amp;]'],
  [[1.5, 1e21], '1.5 1e+21'],
  [['a', null], 'a&lt;no value&gt;'],
];

const JS: readonly Case[] = [
  [['a<b>&"c"\'d\'=e'], 'a\\u003Cb\\u003E\\u0026\\"c\\"\\\'d\\\'\\u003De'],
  [['\0\x1f\x7f\n\t\\'], '\\u0000\\u001F\x7f\\u000A\\u0009\\\\'],
  [['héé 日本 😀'], 'héé 日本 😀'],
  [['\u00a0\u2028\ufeff\u{e0001}'], '\\u00A0\\u2028\\uFEFF\\uE0001'],
  [['\uDCC3x'], '\udcc3x'],
  [['a b+c/d?e=f&g~-_.%'], 'a b+c/d?e\\u003Df\\u0026g~-_.%'],
  [[''], ''],
  [[null], '\\u003Cno value\\u003E'],
  [[null, 1, 2], '\\u003Cno value\\u003E1 2'],
  [[1, 2], '1 2'],
  [[1, 'a', 2, 'b', 'c'], '1a2bc'],
  [[true], 'true'],
  [[[1, '<', null]], '[1 \\u003C \\u003Cnil\\u003E]'],
  [[{ a: '&' }], 'map[a:\\u0026]'],
  [[1.5, 1e21], '1.5 1e+21'],
  [['a', null], 'a\\u003Cno value\\u003E'],
];

const URL_QUERY: readonly Case[] = [
  [['a<b>&"c"\'d\'=e'], 'a%3Cb%3E%26%22c%22%27d%27%3De'],
  [['\0\x1f\x7f\n\t\\'], '%00%1F%7F%0A%09%5C'],
  [['héé 日本 😀'], 'h%C3%A9%C3%A9+%E6%97%A5%E6%9C%AC+%F0%9F%98%80'],
  [['\u00a0\u2028\ufeff\u{e0001}'], '%C2%A0%E2%80%A8%EF%BB%BF%F3%A0%80%81'],
  [['\uDCC3x'], '%C3x'],
  [['a b+c/d?e=f&g~-_.%'], 'a+b%2Bc%2Fd%3Fe%3Df%26g~-_.%25'],
  [[''], ''],
  [[null], '%3Cno+value%3E'],
  [[null, 1, 2], '%3Cno+value%3E1+2'],
  [[1, 2], '1+2'],
  [[1, 'a', 2, 'b', 'c'], '1a2bc'],
  [[true], 'true'],
  [[[1, '<', null]], '%5B1+%3C+%3Cnil%3E%5D'],
  [[{ a: '&' }], 'map%5Ba%3A%26%5D'],
  [[1.5, 1e21], '1.5+1e%2B21'],
  [['a', null], 'a%3Cno+value%3E'],
];

describe('html, with the answers of Go', () => {
  test.each(HTML)('%j', (args, expected) => {
    expect(htmlEscape(args)).toBe(expected);
  });
});

describe('js, with the answers of Go', () => {
  test.each(JS)('%j', (args, expected) => {
    expect(jsEscape(args)).toBe(expected);
  });
});

describe('urlquery, with the answers of Go', () => {
  test.each(URL_QUERY)('%j', (args, expected) => {
    expect(urlQueryEscape(args)).toBe(expected);
  });
});
