import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { makeScratch, must, outcome, plant, WAYS } from '../../test/scratch.js';
import type { SearchQuery } from './search.js';

describe.each(WAYS)('searching, %s', (_way, options) => {
  async function search(
    tree: Readonly<Record<string, string | Uint8Array>>,
    query: SearchQuery,
    path = '@project',
  ) {
    const { root, files } = await makeScratch(options);
    plant(root, tree);
    return must(await files.search(path, query));
  }

  it('finds lines with their place and the lines around', async () => {
    const found = await search(
      { 'b/x.md': 'one\ntwo\nthe Grüße here\r\nfour\nfive', 'a.md': 'nothing' },
      { text: 'here', before: 2, after: 1 },
    );
    expect(found).toEqual({
      matches: [
        {
          path: '@project/b/x.md',
          line: 3,
          column: 11,
          text: 'the Grüße here',
          before: ['one', 'two'],
          after: ['four'],
        },
      ],
      truncated: false,
      filesSearched: 2,
      filesSkipped: 0,
    });
  });

  it('in order of names, a line once, up to the most matches', async () => {
    const tree = { 'c.md': 'x', 'a/b.md': 'x x x\nx\n', 'b.md': 'x\n', 'a.md': 'x' };
    const places = (found: Awaited<ReturnType<typeof search>>) =>
      found.matches.map(({ path, line }) => `${path}:${line}`);
    const all = await search(tree, { text: 'x' });
    expect(places(all)).toEqual([
      '@project/a/b.md:1',
      '@project/a/b.md:2',
      '@project/a.md:1',
      '@project/b.md:1',
      '@project/c.md:1',
    ]);
    const cut = await search(tree, { text: 'x', maxMatches: 2 });
    expect([places(cut), cut.truncated]).toEqual([places(all).slice(0, 2), true]);
    expect((await search(tree, { text: 'x', maxMatches: 5 })).truncated).toBe(false);
  });

  it('skips what is hidden, ignored, binary or no file', async () => {
    const tree = {
      '.env': 'x',
      '.git/config': 'x',
      'node_modules/p/i.js': 'x',
      'data.bin': Uint8Array.from([0x78, 0, 0x78]),
      'a.md': 'x',
    };
    const { root, outside, files } = await makeScratch(options);
    plant(root, tree);
    symlinkSync(join(outside, 'a.md'), join(root, 'link.md'));
    symlinkSync(outside, join(root, 'linked'));
    mkdirSync(join(root, 'empty'));
    const found = must(await files.search('@project', { text: 'x' }));
    expect(found.matches.map(({ path }) => path)).toEqual(['@project/a.md']);
    expect(found.filesSkipped).toBe(1);
    expect(must(await files.search('@project', { text: 'outside the root' })).matches).toEqual([]);
    const shown = must(await files.search('@project', { text: 'x', hidden: true, ignore: [] }));
    expect(shown.matches.map(({ path }) => path)).toEqual([
      '@project/.env',
      '@project/.git/config',
      '@project/a.md',
      '@project/node_modules/p/i.js',
    ]);
  });

  it('searches one file, and refuses what is not there or outside', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'a.md': 'x\ny' });
    expect(must(await files.search('@project/a.md', { text: 'y' })).matches[0]).toMatchObject({
      path: '@project/a.md',
      line: 2,
    });
    expect(outcome(await files.search('@project/no', { text: 'y' }))).toBe('E_FILE_NOT_FOUND');
    expect(outcome(await files.search('@project/../x', { text: 'y' }))).toBe('E_SANDBOX_VIOLATION dotdot');
  });

  it('finds matches in files larger than its window, and in one endless line', async () => {
    const filler = `${'lorem ipsum '.repeat(20)}\n`.repeat(10_000);
    const found = await search(
      {
        'big.txt': `${filler}needle\n${filler}needle`,
        'one.txt': `${'z'.repeat(3 << 20)}needle${'z'.repeat(1 << 20)}`,
      },
      { text: 'needle' },
    );
    expect(found.matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
      '@project/big.txt:10001',
      '@project/big.txt:20002',
      '@project/one.txt:1',
    ]);
    expect(found.matches[2]?.text.length).toBeLessThan(500);
  });
});

it('finds what splitting into lines finds', async () => {
  const { root, files } = await makeScratch();
  const word = fc.constantFrom('a', 'b', 'ab', 'é', '项', '😀', ' ', '\n', '\n\n');
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 60 }),
      fc.constantFrom('a', 'ab', 'é', '项', '😀', 'aa'),
      async (words, text) => {
        const content = words.join('');
        plant(root, { 'f.md': content });
        const found = must(
          await files.search('@project/f.md', { text, before: 1, after: 1, maxMatches: 1000 }),
        );
        const lines = content.split('\n');
        const last = content.endsWith('\n') ? lines.length - 1 : lines.length;
        const expected = lines.flatMap((line, at) =>
          line.includes(text)
            ? [
                {
                  path: '@project/f.md',
                  line: at + 1,
                  column: [...line.slice(0, line.indexOf(text))].length + 1,
                  text: line,
                  before: lines.slice(Math.max(0, at - 1), at),
                  after: lines.slice(at + 1, Math.min(last, at + 2)),
                },
              ]
            : [],
        );
        expect(found.matches).toEqual(expected);
      },
    ),
    runs(100, 3000),
  );
});
