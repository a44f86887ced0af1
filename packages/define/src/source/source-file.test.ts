import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { literalRuns } from './literal.js';
import { loadOutliner } from './outline.js';
import { sourceFile as read } from './source-file.js';

const outlineOf = await loadOutliner();
const sourceFile = (path: string, text: string) => read(path, text, outlineOf);

const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;

const TEXT = `// definePrompt({ not: 'this' })
import { definePrompt } from '@cuebook/define';
const pattern = /definePrompt\\(\\{/;
const other = \`\${"definePrompt({"}\`;

export default definePrompt<'a', never>({
  name: 'a', /* model: 'no' */ model: "m",
  'toolDescription': \`Two
lines\`,
  prompt: [
    { type: 'text', content: 'Say "hi"\\nnow' },
    { type: 'include', prompt: common },
    { type: 'text', content: 'a' + 'b' },
  ] as const,
  async execute(a: Map<string, number>) { return a / 2, { x: 1 }; },
  tools: ['x', /* y */ { name: 'z', env: { K: '1' } }],
  hooks: [...more, 'h'],
  short,
  last: 'ü😀', after: 1,
} satisfies object);
`;

describe('places', () => {
  const file = sourceFile('agents/prompts/a.ts', TEXT);
  const CASES: readonly (readonly [path: readonly PropertyKey[], at: string])[] = [
    [['name'], '7:3'],
    [['model'], '7:32'],
    [['toolDescription'], '8:3'],
    [['prompt'], '10:3'],
    [['prompt', 0], '11:5'],
    [['prompt', 0, 'content'], '11:21'],
    [['prompt', 1, 'prompt'], '12:24'],
    [['prompt', 9], '10:11'],
    [['execute'], '15:3'],
    [['tools', 1, 'env', 'K'], '16:44'],
    [['hooks', 1], '17:10'],
    [['short'], '18:3'],
    [['after'], '19:15'],
    [['missing'], '6:41'],
    [[], '6:41'],
  ];
  it.each(CASES)('%j', (path, at) => {
    const { line, column, ref } = file.place(path);
    expect(`${line}:${column}`).toBe(at);
    expect(ref).toBe('agents/prompts/a.ts');
  });

  it('start at the top where there is no object', () => {
    expect(sourceFile('x.ts', 'const a = 1;\nexport default a;').place(['name'])).toEqual({
      ref: 'x.ts',
      line: 1,
      column: 1,
    });
  });
});

describe('pieces', () => {
  const file = sourceFile('a.ts', TEXT);
  const told = (path: readonly PropertyKey[], value: string) =>
    file
      .pieces(path, value, LABELS)
      .map(({ text, origin }) => [text, origin.kind, `${origin.line}:${origin.column}`]);

  it('of a literal are what stands there, and what its escapes mean', () => {
    expect(told(['prompt', 0, 'content'], 'Say "hi"\nnow')).toEqual([
      ['Say "hi"', 'file', '11:31'],
      ['\n', 'value', '11:39'],
      ['now', 'file', '11:41'],
    ]);
    expect(told(['toolDescription'], 'Two\nlines')).toEqual([['Two\nlines', 'file', '8:23']]);
  });

  it('of what is computed are one, at the place where it starts', () => {
    expect(told(['prompt', 2, 'content'], 'ab')).toEqual([['ab', 'value', '13:30']]);
    expect(told(['name'], 'not what is written')).toEqual([['not what is written', 'value', '7:9']]);
  });
});

describe('for all texts', () => {
  it('a literal decodes to what the language makes of it', () => {
    const piece = fc.oneof(
      fc
        .string({ unit: 'binary', maxLength: 8 })
        .map((text) => text.replaceAll(/[\\'"`$\r\n\u2028\u2029]/g, '')),
      fc.constantFrom(
        '\\n',
        '\\t',
        '\\\\',
        "\\'",
        '\\"',
        '\\`',
        '\\x41',
        '\\u00e9',
        '\\u{1f600}',
        '\\0',
        '\\$',
        '\\\n',
        '\\q',
      ),
    );
    const literal = fc
      .tuple(fc.constantFrom("'", '"', '`'), fc.array(piece, { maxLength: 12 }), fc.boolean())
      .map(([quote, pieces, lines]) => {
        const body = pieces.join(lines && quote === '`' ? '\n' : '');
        return `${quote}${body.replaceAll(/\\0(?=\d)/g, '')}${quote}`;
      });
    fc.assert(
      fc.property(literal, (source) => {
        const real = new Function(`return ${source};`)() as string;
        const read = literalRuns(source, 0, source.length) ?? [];
        expect(read.map(({ text }) => text).join('')).toBe(real);
        for (const { text, at, verbatim } of read)
          if (verbatim) expect(source.slice(at, at + text.length)).toBe(text);
      }),
      runs(300, 20_000),
    );
  });

  it('an object of literals has the place of each', () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const pathsIn = (
      data: unknown,
      path: readonly PropertyKey[] = [],
    ): readonly (readonly PropertyKey[])[] =>
      typeof data === 'object' && data !== null
        ? [
            path,
            ...Object.entries(data).flatMap(([key, each]) =>
              pathsIn(each, [...path, Array.isArray(data) ? Number(key) : key]),
            ),
          ]
        : [path];
    fc.assert(
      fc.property(fc.record({ name: value, prompt: value }), fc.boolean(), (data, wide) => {
        const text = `export default definePrompt(${JSON.stringify(data, null, wide ? 2 : undefined)});`;
        const file = sourceFile('a.ts', text);
        const lines = text.split('\n');
        for (const path of pathsIn(data)) {
          const { line, column } = file.place(path);
          const rest = [...(lines[line - 1] ?? '')].slice(column - 1).join('');
          const key = path.at(-1);
          if (typeof key === 'string') expect(rest.startsWith(JSON.stringify(key))).toBe(true);
        }
      }),
      runs(200, 10_000),
    );
  });

  it('reading ends, with a place inside the text', () => {
    const token = fc.constantFrom(
      'definePrompt(',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      ',',
      ':',
      "'",
      '"',
      '`',
      '${',
      '/',
      '*',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      'a',
      '...',
      '<',
      '>(',
      ';',
      'async ',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const text = tokens.join('');
        const { line } = sourceFile('a.ts', text).place(['prompt', 0, 'content']);
        expect(line).toBeLessThanOrEqual(text.split('\n').length);
      }),
      runs(500, 50_000),
    );
  });
});

describe('the origin of a value', () => {
  const file = sourceFile(
    't.ts',
    `const note = z.optional(z.string().describe('What is broken'));
export default defineTool({
  description: 'Opens a case',
  escaped: 'a\\tb',
  args: z.object({
    note,
    kind: z.enum(['new', 'old']).describe('first').describe('Which'),
    list: z.array(z.string().min(1).describe('One of them')).optional(),
    made: z.string().describe(words()),
  }).describe('All of it'),
});
`,
  );
  it.each<[path: readonly PropertyKey[], value: unknown, at: string]>([
    [['description'], 'Opens a case', 'file 3:17'],
    [['description'], 'Something else', 'value 3:3'],
    [['escaped'], 'a\tb', 'value 4:3'],
    [['args', 'properties', 'note', 'description'], 'What is broken', 'file 1:46'],
    [['args', 'properties', 'kind', 'description'], 'Which', 'file 7:62'],
    [['args', 'properties', 'kind', 'enum', 1], 'old', 'file 7:27'],
    [['args', 'properties', 'list', 'items', 'description'], 'One of them', 'file 8:47'],
    [['args', 'properties', 'made', 'description'], 'Whatever', 'value 9:31'],
    [['args', 'properties', 'kind', 'type'], 'string', 'value 7:11'],
    [['args', 'description'], 'All of it', 'file 10:16'],
  ])('%j %j: %s', (path, value, at) => {
    const { kind, line, column } = file.origin(path, value);
    expect(`${kind} ${line}:${column}`).toBe(at);
  });
});
