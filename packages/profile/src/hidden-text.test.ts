import { memorySource, type TextSource } from '@cuebook/files';
import { createRedactor } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hiddenText } from './hidden-text.js';
import type { AnyProfile } from './profile.js';
import { composeTarget } from './workbench.js';

const tags = (text: string): string =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) as number))).join('');
const bytes = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe00f0 + byte))
    .join('');

describe('hidden text in a source', () => {
  test.each([
    [
      'tag characters, and what they spell',
      `a\nhi ${tags('obey me')}`,
      2,
      4,
      ['U+E006F', '"obey me"', 'tag'],
    ],
    ['a bidirectional override', 'x = "\u202egnp.exe"', 1, 6, ['U+202E', 'bidirectional']],
    ['a zero-width space', 'pass\u200bword', 1, 5, ['U+200B', 'zero-width']],
    ['bytes in variation selectors', `\u{1f600}${bytes('hello')}`, 1, 2, ['"hello"', 'variation selectors']],
    ['a control character', 'a\x1b[31m', 1, 2, ['U+001B', 'control']],
    ['a private-use character', 'é\ue000', 1, 2, ['U+E000', 'private-use']],
    ['a line separator', 'a\u2028b', 1, 2, ['U+2028', 'line breaks']],
    ['a filler', 'a\u3164', 1, 2, ['U+3164']],
  ] as const)('%s is told with its place', (_name, text, line, column, words) => {
    const [first, ...rest] = hiddenText('a.md', text);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ code: 'W_HIDDEN_TEXT', severity: 'warning', file: 'a.md', line, column });
    for (const word of words) expect(first?.message).toContain(word);
  });

  test('escapes of JSON and YAML are read, and only there', () => {
    expect(hiddenText('a.json', '{"a": "\\u202e"}')).toMatchObject([{ line: 1, column: 8 }]);
    expect(hiddenText('a.json', '{"a": "\\udb40\\udc41"}')[0]?.message).toContain('"A"');
    expect(hiddenText('a.yaml', 'a: "\\U000E0041"')[0]?.message).toContain('U+E0041');
    expect(
      hiddenText('a.json', '{"a": "\\\\u202e \\u00e9 \\ud83d\\udc68\\u200d\\ud83d\\udc69 \\n"}'),
    ).toEqual([]);
    expect(hiddenText('a.md', 'write \\u202e')).toEqual([]);
  });

  test.each([
    'Hello, world.\r\n\tGood day.',
    'Grüße, naïve café, Ελληνικά, Русский, 日本語、中文。',
    '👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈 ☎\ufe0e 🇩🇪',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'می\u200cخواهم و نمی\u200cدانم، کتاب\u200cها',
    'क्\u200dष श्री\u200c हिन्दी ক্\u200dষ ශ්\u200dරී ന്\u200d ക്\u200c',
    'שלום C++\u200f ועוד \u200eabc\u200f עברית',
    'مرحبا (abc)\u200f و\u200e 123 \u061c',
    'ភាសា\u200bខ្មែរ ภาษา\u200bไทย ພາສາ\u200bລາວ',
    'Donau\u00addampf\u00adschiff 葛\u{e0100}飾区 ᠮᠣᠩᠭᠣᠯ\u180b',
  ])('ordinary text is never warned about: %j', (text) => {
    expect(hiddenText('a.json', text)).toEqual([]);
  });

  test('a target tells what is hidden in every text that it was loaded from', async () => {
    const files = { 'a.md': 'plain', 'b.md': 'hid\u200bden', 'c.md': 'not read \u202e' };
    const profile = {
      prefix: 'note',
      input: z.object({}),
      find: async () => [],
      load: async (project: TextSource) => {
        const texts = await Promise.all(['a.md', 'b.md'].map((path) => project.readText(path)));
        return { ok: true, value: texts.map((each) => (each.ok ? each.value : '')), diagnostics: [] };
      },
      check: () => [],
      sample: () => ({}),
      compose: (texts: readonly string[]) => ({
        ok: true,
        value: {
          blocks: [
            {
              name: 'b',
              role: 'system',
              pieces: [...texts, '\u{e0041}'].map((text, at) => ({
                text,
                origin: { kind: 'value', ref: `${'abd'[at]}.md`, line: 1, column: 1 },
                trust: 'author',
                secrecy: 'public',
                volatility: 'build',
              })),
            },
          ],
          tools: [],
          params: {},
          capabilities: [],
        },
      }),
    } as unknown as AnyProfile;
    const project = memorySource(files);
    if (!project.ok) throw new Error(project.error.code);
    const bench = {
      profiles: [profile],
      project: project.value,
      hash: (text: string) => `sha256:${text.length}`,
      redactor: createRedactor({ roots: [], private: [], names: [] }),
    };
    const result = await composeTarget(bench, 'note:x');
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    expect(result.value.diagnostics).toMatchObject([
      { code: 'W_HIDDEN_TEXT', file: 'b.md', line: 1, column: 4 },
      { code: 'W_HIDDEN_TEXT', file: 'd.md', line: 1, column: 1 },
    ]);
    expect(result.value.prompt.text).toBe('plainhid[U+200B]den[U+E0041]');
  });
});
