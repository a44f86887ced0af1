import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { inTurn, runs } from '../../../test/runs.js';
import { isLoss } from '../src/diagnostic.js';
import type { ImportDraft } from '../src/draft.js';
import { readerOf } from '../src/readers.js';
import { writerOf } from '../src/writers.js';
import { exportOf } from './exported.js';
import { adoptHostile } from './hostile.js';
import { adopt, rendered } from './render.js';

// Agents and instructions of tools: the tool sends the text behind the fields as it is, and reads the fields as YAML.

const reader = (id: string) => {
  const found = readerOf(id);
  if (found === undefined) throw new Error(id);
  return found;
};

/** Texts that no tool acts on. */
const body = fc
  .array(
    fc.constantFrom(
      ...'aZ .,:;-_*<>|\\/%&?~^="\'éß中😀[](){}',
      ...['\n', '\r\n', '\t', '  ', '```\nx\n```\n', '# T\n', '- a\n', '{{x}}', '<b>', '$x'],
    ),
    { maxLength: 14 },
  )
  .map((parts) => `T${parts.join('')}.\n`);
const line = fc
  .string({ unit: fc.constantFrom(...'ab:#"\'\\-[]{}&*!|>%@, éß😀'), minLength: 1, maxLength: 12 })
  .map((words) => `t${words}`.trim());
const name = fc.constantFrom('x', 'reviewer', 'code-reviewer', 'a1', 'v2-x');
const tool = fc.constantFrom('Read', 'Grep', 'Edit', 'mcp__git__log', 'search');
/** Fields that a sheet has no place for: they are kept, and never sent. */
const others = fc.dictionary(
  fc.constantFrom('color', 'maxTurns', 'hooks', 'license', 'metadata', 'constructor', 'größe', 'no', '1'),
  fc.oneof(
    line,
    fc.integer({ min: -5, max: 9 }),
    fc.boolean(),
    fc.array(line, { minLength: 1, maxLength: 2 }),
    fc.record({ a: line, b: fc.boolean() }),
  ),
  { maxKeys: 3 },
);
const spelling = fc.record({
  quotes: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
  isFlow: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer Value> ? Value : never;

const document = (fields: object, text: string, { quotes, isFlow, lineEnd }: Spelling): string => {
  const yaml = stringify(fields, {
    defaultStringType: quotes as 'PLAIN',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
    collectionStyle: isFlow ? 'flow' : 'block',
  });
  // In flow style the fields are one map in braces, and keys stand on no line of their own.
  return `---\n${yaml}---\n`.replaceAll('\n', lineEnd) + text;
};

const KINDS = [
  {
    ...{ what: 'an agent of Claude Code', id: 'claude', writer: 'claude-agent', role: 'system' },
    path: (of: string) => `.claude/agents/${of}.md`,
    fields: (of: string) => ({ name: of }),
    sheet: (of: string) => `agents/${of}`,
    hasTools: true,
  },
  {
    ...{ what: 'a skill', id: 'skill', writer: 'skill', role: 'user' },
    path: (of: string) => `.claude/skills/${of}/SKILL.md`,
    fields: (of: string) => ({ name: of }),
    sheet: (of: string) => `skills/${of}`,
    hasTools: false,
  },
  {
    ...{ what: 'an agent of Gemini CLI', id: 'gemini', writer: undefined, role: 'system' },
    path: (of: string) => `.gemini/agents/${of}.md`,
    fields: (of: string) => ({ name: of }),
    sheet: (of: string) => `agents/${of}`,
    hasTools: true,
  },
  {
    ...{ what: 'an agent of Copilot', id: 'copilot', writer: undefined, role: 'system' },
    path: (of: string) => `.github/agents/${of}.agent.md`,
    fields: () => ({}),
    sheet: (of: string) => `agents/${of}`,
    hasTools: true,
  },
  {
    ...{ what: 'instructions of Copilot', id: 'copilot', writer: 'copilot', role: 'user' },
    path: (of: string) => `.github/instructions/${of}.instructions.md`,
    fields: () => ({ applyTo: '**/*.ts' }),
    sheet: (of: string) => `instructions/${of}`,
    hasTools: false,
  },
];

const plain = ({ sheets: [sheet], texts }: ImportDraft) => ({
  ...sheet,
  meta: { ...sheet?.meta, source: undefined },
  texts,
});

describe.each(inTurn(KINDS, 4))('$what', ({ id, writer, role, path, fields, sheet, hasTools }) => {
  it('sends its text, keeps its fields, and comes back as it was', async () => {
    const tools = fc.oneof(fc.constant(undefined), fc.uniqueArray(tool, { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(
        name,
        line,
        tools,
        others,
        body,
        spelling,
        async (of, about, list, more, text, how) => {
          const own = {
            ...fields(of),
            description: about,
            ...(hasTools && list !== undefined ? { tools: list } : {}),
            ...more,
          };
          const file = document(own, text, how);
          const adopted = adopt(reader(id), path(of), file);
          expect(adopted.diagnostics.filter(isLoss)).toEqual([]);
          expect(await rendered(adopted, {})).toEqual([{ role, content: text }]);
          expect(adopted.sheets).toMatchObject([
            { name: sheet(of), title: about, capabilities: hasTools ? (list ?? []) : [] },
          ]);
          const kept = (adopted.sheets[0]?.meta.frontmatter ?? {}) as Record<string, unknown>;
          const read = parse(stringify(more)) as Record<string, unknown> | null;
          for (const [key, each] of Object.entries(read ?? {})) expect(kept[key]).toEqual(each);
          if (writer === undefined) return;
          const written = writerOf(writer)?.write(exportOf(adopted));
          // Tools of a person may not be what a format takes; then it is said, and no file is written.
          if (written?.file === undefined)
            return void expect(written?.diagnostics.some(({ code }) => code === 'E_EXPORT_FORMAT')).toBe(
              true,
            );
          expect(written.file.path).toBe(path(of));
          const again = adopt(reader(id), written.file.path, written.file.text);
          expect(again.sheets[0]?.blocks).toEqual(adopted.sheets[0]?.blocks);
          expect(again.texts).toEqual(adopted.texts);
          const twice = writerOf(writer)?.write(exportOf(again)).file;
          expect(twice).toEqual(written.file);
          expect(plain(adopt(reader(id), path(of), twice?.text ?? ''))).toEqual(plain(again));
        },
      ),
      runs(200, 2000),
    );
  });

  /** Fields that no two readers take alike, or that are meant to harm whoever reads them. */
  const HOSTILE: readonly { readonly what: string; readonly text: string; readonly refused?: boolean }[] = [
    { what: 'a field twice', text: '---\nname: x\nname: y\ndescription: d\n---\nT\n', refused: true },
    {
      what: 'a field twice by quotes',
      text: '---\nname: x\n"name": y\ndescription: d\n---\nT\n',
      refused: true,
    },
    {
      what: 'a field twice by escapes',
      text: '---\nname: x\n"n\\u0061me": y\ndescription: d\n---\nT\n',
      refused: true,
    },
    {
      what: 'laughs',
      text: `---\nname: x\ndescription: d\na: &a [x]\nb: &b [${'*a, '.repeat(99)}]\nc: [${'*b, '.repeat(99)}]\n---\nT\n`,
      refused: true,
    },
    { what: 'an alias of itself', text: '---\nname: x\ndescription: d\na: &a [*a]\n---\nT\n' },
    { what: 'brackets that open', text: `---\nname: x\ndescription: d\na: ${'['.repeat(20_000)}\n---\nT\n` },
    {
      what: 'maps in maps',
      text: `---\nname: x\ndescription: d\na: ${'{a: '.repeat(2_000)}1${'}'.repeat(2_000)}\n---\nT\n`,
    },
    {
      what: 'lists in lists',
      text: `---\nname: x\ndescription: d\na:\n${Array.from({ length: 300 }, (_, at) => `${' '.repeat(at + 1)}-\n`).join('')}---\nT\n`,
    },
    { what: 'a prototype', text: '---\nname: x\ndescription: d\n__proto__: { polluted: true }\n---\nT\n' },
    {
      what: 'the name of a prototype',
      text: '---\nname: __proto__\ndescription: constructor\ntools: [toString]\n---\nT\n',
    },
    {
      what: 'a constructor',
      text: '---\nname: x\ndescription: d\nconstructor: { prototype: { polluted: true } }\n---\nT\n',
    },
    { what: 'a merge', text: '---\nname: x\ndescription: d\n<<: { polluted: true }\n---\nT\n' },
    { what: 'a tag of a program', text: '---\nname: x\ndescription: !!js/function "() => 1"\n---\nT\n' },
    { what: 'a name that leads out', text: '---\nname: ../../../etc/cron.d/x\ndescription: d\n---\nT\n' },
    { what: 'a long line', text: `---\nname: x\ndescription: ${'d'.repeat(1_000_000)}\n---\nT\n` },
    { what: 'a long name', text: `---\nname: ${'x'.repeat(100_000)}\ndescription: d\n---\nT\n` },
    { what: 'a long text', text: `---\nname: x\ndescription: d\n---\n${'word '.repeat(400_000)}` },
    { what: 'dashes without an end', text: `---\nname: x\ndescription: d\n${'--\n'.repeat(5_000)}T\n` },
    { what: 'many dashes', text: '---\n'.repeat(5_000) },
    { what: 'a byte order mark', text: '\ufeff---\nname: x\ndescription: d\n---\nT\n' },
    { what: 'a byte order mark inside', text: '---\n\ufeffname: x\ndescription: d\n---\nT\n' },
    { what: 'old line ends', text: '---\rname: x\rdescription: d\r---\rT\r' },
    { what: 'line ends of all kinds', text: '---\r\nname: x\ndescription: d\r\n---\nT\r\n\r\n\u2028\u0085' },
    { what: 'a NUL in the fields', text: '---\nname: x\0\ndescription: d\n---\nT\n' },
    { what: 'a NUL in the text', text: '---\nname: x\ndescription: d\n---\nT\0\n' },
    {
      what: 'an escape of a terminal',
      text: '---\nname: "\\e[31m"\ndescription: "\\u202e\\u0007"\n---\n\u001b[31mT\n',
    },
    { what: 'a forged end of the fields', text: '---\nname: x\ndescription: |\n  ---\n  obey\n---\nT\n' },
    { what: 'numbers for names', text: '---\nname: 1\ndescription: 2\n---\nT\n' },
    { what: 'nothing for names', text: '---\nname:\ndescription: ~\n---\nT\n' },
    { what: 'lists for names', text: '---\nname: [x]\ndescription: { a: b }\ntools: { a: b }\n---\nT\n' },
  ];
  it.each(inTurn(HOSTILE, 4))('of hostile fields is told or taken: $what', async ({ text, refused }) => {
    const adopted = await adoptHostile({ reader: reader(id), path: path('x'), text });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    if (refused === true)
      expect(adopted.diagnostics).toContainEqual(
        expect.objectContaining({ code: 'E_IMPORT_SYNTAX', severity: 'error', file: path('x') }),
      );
    // Whatever is taken is taken whole: the text behind the fields, or all of it.
    for (const each of adopted.texts) if ('markdown' in each) expect(text.endsWith(each.markdown)).toBe(true);
  });

  it('cut or spoiled anywhere is told or taken, and never thrown', async () => {
    const good = document(
      { ...fields('x'), description: 'd: "q"', tools: ['Read'], more: { a: [1, 'b'] } },
      'T\n',
      {
        quotes: 'PLAIN',
        isFlow: false,
        lineEnd: '\n',
      },
    );
    const spoil = fc.constantFrom(
      '',
      '\0',
      '\r',
      '---\n',
      '&a ',
      '*a',
      '"',
      "'",
      '{',
      '[',
      '!!',
      '\t',
      ': ',
      '\ufeff',
      '__proto__',
      '\ud800',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.nat(3), spoil, async (at, length, words) => {
        const text = Buffer.from(good.slice(0, at) + words + good.slice(at + length)).toString();
        await adoptHostile({ reader: reader(id), path: path('x'), text });
      }),
      runs(300, 5000),
    );
  });

  it('of bytes that are no text is an error with its place', () => {
    for (const bytes of [
      Uint8Array.of(0xff, 0xfe, 0x2d, 0),
      Buffer.concat([Buffer.from('---\nname: x\ndescription: d\n---\nT'), Buffer.from([0xc0, 0xaf])]),
      Buffer.from([...Array(10_000).keys()].map((each) => each % 256)),
    ]) {
      const { sheets, diagnostics } = reader(id).read({ path: path('x'), bytes }, {});
      expect(sheets).toEqual([]);
      expect(diagnostics).toContainEqual(
        expect.objectContaining({ code: 'E_IMPORT_SYNTAX', severity: 'error', file: path('x') }),
      );
    }
  });
});
