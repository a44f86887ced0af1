import { describe, expect, it } from 'vitest';
import type { FileResult, TextSource } from '../src/index.js';
import { must, outcome } from './scratch.js';

/** The texts every source is asked to hold, by path below its root. */
export const CONFORMANCE_TEXTS: Readonly<Record<string, string>> = {
  'a.md': 'a',
  'b/c.md': 'c',
  'b/d/e.md': 'e',
  'b.md': 'b',
  '.hidden': 'h',
  '.git/config': 'g',
  'b/node_modules/x/index.js': 'x',
  'Z.md': 'z',
  'grüße 项目.md': 'u',
  '..foo/x': 'f',
  '%2e%2e/x': 'p',
};

/** What any `TextSource` must do. `prefix` is `@alias/` or nothing; `open` gets the texts by path below the root. */
export function describeTextSource(
  name: string,
  prefix: '' | '@project/',
  open: (texts: Readonly<Record<string, string>>) => Promise<FileResult<TextSource>>,
): void {
  const root = prefix === '' ? '.' : '@project';
  const at = (path: string): string => `${prefix}${path}`;
  const source = async (): Promise<TextSource> => must(await open(CONFORMANCE_TEXTS));

  describe(`${name} as a text source`, () => {
    it('reads every text it holds', async () => {
      const texts = await source();
      for (const [path, text] of Object.entries(CONFORMANCE_TEXTS)) {
        expect([path, must(await texts.readText(at(path)))]).toEqual([path, text]);
        expect(Buffer.from(must(await texts.readBytes(at(path)))).toString()).toBe(text);
      }
    });

    const paths: readonly (readonly [path: string, outcome: string])[] = [
      ['./b/../a.md', 'ok'],
      ['b\\c.md', 'ok'],
      ['a.md/', 'ok'],
      ['b', 'E_NOT_A_FILE'],
      ['.', 'E_NOT_A_FILE'],
      ['no.md', 'E_FILE_NOT_FOUND'],
      ['no/no.md', 'E_FILE_NOT_FOUND'],
      ['a.md/x', 'E_NOT_A_DIRECTORY'],
      ['a.md/x/y', 'E_NOT_A_DIRECTORY'],
      ['..', 'E_SANDBOX_VIOLATION dotdot'],
      ['../a.md', 'E_SANDBOX_VIOLATION dotdot'],
      ['b/..\\../a.md', 'E_SANDBOX_VIOLATION dotdot'],
      ['/etc/passwd', 'E_SANDBOX_VIOLATION absolute'],
      ['C:\\x', 'E_SANDBOX_VIOLATION drive'],
      ['a\0.md', 'E_SANDBOX_VIOLATION control'],
      ['\udc00', 'E_SANDBOX_VIOLATION malformed'],
    ];
    it.each(paths)('answers %j with %s', async (path, expected) => {
      const texts = await source();
      expect(outcome(await texts.readText(at(path)))).toBe(expected);
      expect(outcome(await texts.readBytes(at(path)))).toBe(expected);
      const lexical = expected.startsWith('E_SANDBOX');
      expect(outcome(texts.clean(at(path)))).toBe(lexical ? expected : 'ok');
    });

    it('cleans a path to its one spelling', async () => {
      const texts = await source();
      for (const path of ['b/c.md', './b/c.md', 'b/./c.md/', 'b\\x\\..\\c.md']) {
        expect(must(texts.clean(at(path)))).toBe(at('b/c.md'));
      }
      expect(must(texts.clean(at('.')))).toBe(root);
    });

    it('lists in order, with kinds, up to the limit', async () => {
      const texts = await source();
      const names = must(await texts.list(root)).entries.map((entry) => `${entry.name} ${entry.kind}`);
      expect(names).toEqual([
        '%2e%2e directory',
        '..foo directory',
        '.git directory',
        '.hidden file',
        'Z.md file',
        'a.md file',
        'b directory',
        'b.md file',
        'grüße 项目.md file',
      ]);
      const cut = must(await texts.list(at('./b/'), { limit: 2 }));
      expect(cut).toEqual({
        path: at('b'),
        entries: [
          { name: 'c.md', kind: 'file' },
          { name: 'd', kind: 'directory' },
        ],
        truncated: true,
        unaddressable: 0,
      });
      expect(outcome(await texts.list(at('a.md')))).toBe('E_NOT_A_DIRECTORY');
      expect(outcome(await texts.list(at('no')))).toBe('E_FILE_NOT_FOUND');
      expect(outcome(await texts.list(at('..')))).toBe('E_SANDBOX_VIOLATION dotdot');
    });

    it('walks in order, without what is ignored', async () => {
      const texts = await source();
      const walk = async (path: string, options?: Parameters<TextSource['walk']>[1]): Promise<string[]> => {
        const seen: string[] = [];
        for await (const found of texts.walk(path, options))
          seen.push(found.ok ? found.value : outcome(found));
        return seen;
      };
      expect(await walk(root)).toEqual(
        ['%2e%2e/x', '..foo/x', '.hidden', 'Z.md', 'a.md', 'b/c.md', 'b/d/e.md', 'b.md', 'grüße 项目.md'].map(
          at,
        ),
      );
      expect(await walk(at('b/'), { ignore: ['d'] })).toEqual([
        at('b/c.md'),
        at('b/node_modules/x/index.js'),
      ]);
      expect(await walk(root, { limit: 2 })).toEqual([at('%2e%2e/x'), at('..foo/x'), 'E_FILE_TOO_LARGE']);
      expect(await walk(at('no'))).toEqual(['E_FILE_NOT_FOUND']);
      expect(await walk(at('../x'))).toEqual(['E_SANDBOX_VIOLATION dotdot']);
    });

    it('holds nothing when it is empty', async () => {
      const empty = must(await open({}));
      expect(must(await empty.list(root)).entries).toEqual([]);
    });

    if (prefix === '') return;
    it.each([
      ['@other/a.md', 'E_SANDBOX_VIOLATION unknown-mount'],
      ['a.md', 'E_SANDBOX_VIOLATION no-mount'],
      ['/a.md', 'E_SANDBOX_VIOLATION absolute'],
      ['c:\\a.md', 'E_SANDBOX_VIOLATION drive'],
    ])('refuses %j outside its mounts', async (path, expected) => {
      const texts = await source();
      expect(outcome(await texts.readText(path))).toBe(expected);
      expect(outcome(await texts.list(path))).toBe(expected);
    });
  });
}
