import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../../../test/runs.js';
import { createLiveWords } from '../live-words.js';
import { createRedactor } from '../redactor.js';
import { columnSecrets } from './columns.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

type Rows = readonly (readonly string[])[];

/** How tables are written. */
const WRITTEN: Readonly<Record<string, (rows: Rows) => string>> = {
  CSV: (rows) => rows.map((row) => row.join(',')).join('\n'),
  'CSV of Windows': (rows) => rows.map((row) => `${row.join(';')}\r\n`).join(''),
  'CSV in quotes': (rows) => rows.map((row) => row.map((field) => `"${field}"`).join(',')).join('\n'),
  'CSV with signs in its fields': (rows) =>
    rows
      .map((row, at) =>
        row.map((field) => (at > 0 && field.startsWith('site-') ? `"x, ${field}"` : field)).join(','),
      )
      .join('\n'),
  TSV: (rows) => rows.map((row) => row.join('\t')).join('\n'),
  Markdown: ([head = [], ...rows]) =>
    [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
  'Markdown in backticks': ([head = [], ...rows]) =>
    [head, head.map(() => ':-:'), ...rows.map((row) => row.map((field) => `\`${field}\``))]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n'),
  psql: ([head = [], ...rows]) =>
    [
      ` ${head.join(' | ')} `,
      head.map(() => '------').join('+'),
      ...rows.map((row) => ` ${row.join(' | ')} `),
    ].join('\n'),
  mysql: ([head = [], ...rows]) => {
    const rule = `+${head.map(() => '------').join('+')}+`;
    const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
    return [rule, line(head), rule, ...rows.map(line), rule].join('\n');
  },
};

const HEADS = ['password', 'Password', 'PASSWORD', 'db_password', 'Smtp Password', 'user_pass', 'passwd'];
const word = fc.oneof(
  fc.stringMatching(/^[a-z]{4,7}[0-9]{1,3}[!#%+][A-Z][a-z]{3,5}[0-9]$/),
  fc.stringMatching(/^[a-z][A-Z][0-9][a-zA-Z0-9]{9,15}$/).filter((each) => new Set(each).size > 8),
);
const table = fc
  .record({
    head: fc.constantFrom(...HEADS),
    at: fc.nat(2),
    words: fc.uniqueArray(word, { minLength: 1, maxLength: 30 }),
  })
  .map(({ head, at, words }) => {
    const others = (a: string, b: string, own: string): readonly string[] => {
      const row = [a, b];
      row.splice(at, 0, own);
      return row;
    };
    const rows: Rows = [
      others('url', 'name', head),
      ...words.map((each, n) => others(`site-${n}.test`, 'ada', each)),
    ];
    return { rows, words };
  });

describe('a column of secrets', () => {
  it.each(Object.keys(WRITTEN))('%s: each of them is taken out, and nothing else', (how) => {
    fc.assert(
      fc.property(table, fc.constantFrom('', 'All of them:\n\n'), ({ rows, words }, before) => {
        const text = before + (WRITTEN[how] ?? String)(rows);
        const clean = redact(text);
        for (const each of words) expect(clean).not.toContain(each.slice(0, 8));
        for (const [n] of words.entries()) expect(clean).toContain(`site-${n}.test`);
      }),
      runs(40, 2_000),
    );
  });

  it.each(Object.keys(WRITTEN))(
    '%s: none is told live, wherever what is remembered of the table begins',
    (how) => {
      for (const pad of inTurn([...Array(80).keys()])) {
        const rows = Array.from({ length: 16 }, (_, n) => [`site-${n}.test`, 'ada', `yvrjr95${n}#Rwor5`]);
        const text = (WRITTEN[how] ?? String)([
          ['url', 'name', 'password'],
          ['x'.repeat(pad), 'b', 'Tq8fxK3mz!'],
          ...rows,
        ]);
        const live = createLiveWords(redactor);
        let told = '';
        for (const piece of text.split(/(?<=\s)/)) told += live.feed(piece);
        told += live.flush();
        expect([pad, told]).toEqual([pad, expect.not.stringMatching(/yvrjr95\d+#/)]);
      }
    },
  );

  it.each(Object.keys(WRITTEN))('%s: none is told live, however long the table is', (how) => {
    fc.assert(
      fc.property(
        table,
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }),
        ({ rows, words }, sizes) => {
          const text = (WRITTEN[how] ?? String)(rows);
          const live = createLiveWords(redactor);
          let told = '';
          let at = 0;
          for (const size of sizes) {
            told += live.feed(text.slice(at, at + size));
            at += size;
          }
          told += live.feed(text.slice(at)) + live.flush();
          for (const each of words) expect(told).not.toContain(each.slice(0, 8));
        },
      ),
      runs(40, 2_000),
    );
  });

  it.each([
    'key,value\na,b1',
    'Use a token, a password,\nor neither1, one2,\n',
    '| option | key |\n| --- | --- |\n| cache | by2Url |',
    'id,token\n1,the\n2,quick\n3,fox',
    'name, password\n\nfoo, bar1baz',
    '"key",\n"writeKey2",\n"writeValue2",\n',
    '| | password |\n| - | - |\n| | x |',
    'user,password\nada,changeme\nbo,<password>\n',
  ])('is not seen in: %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('any text is gone through to its end', () => {
    const piece = fc.constantFrom(
      'password',
      ',',
      '|',
      '\n',
      '\r\n',
      '"',
      ' ',
      'x1Y2z3w4',
      'key',
      ';',
      '\t',
      '---',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        for (const { start, end } of columnSecrets(text)) {
          expect(start).toBeLessThan(end);
          expect(text.slice(start, end)).not.toContain('\n');
        }
      }),
      runs(2_000, 200_000),
    );
  });
});
