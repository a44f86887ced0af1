import { describe, expect, it } from 'vitest';
import { adopt } from '../../test/render.js';
import { printFiles } from '../print-files.js';
import { readerOf } from '../readers.js';

interface Row {
  readonly reader: string;
  readonly path: string;
  readonly line: number;
  /** The line of the text that a number is in, where the text as a whole is refused. */
  readonly whole?: number;
  readonly text: (number: string) => string;
}

const ROWS: readonly Row[] = [
  {
    ...{ reader: 'langfuse', path: 'lf.json', line: 2 },
    text: (number: string) =>
      `[{"name": "p", "version": 1, "type": "text", "prompt": "Hi",\n"config": {"seed": ${number}}}]`,
  },
  {
    ...{ reader: 'openai', path: 'o.json', line: 2 },
    text: (number: string) =>
      `{"openai_prompt_id": "p", "name": "p", "production_version": "1", "versions": [{"version": "1", "messages": [{"role": "user", "content": "Hi"}],\n"config": {"seed": ${number}}}]}`,
  },
  {
    ...{ reader: 'github-models', path: 'p.prompt.yml', line: 2 },
    text: (number: string) =>
      `messages: [{ role: user, content: Hi }]\nmodelParameters: { seed: ${number} }\n`,
  },
  {
    ...{ reader: 'dotprompt', path: 'p.prompt', line: 4 },
    text: (number: string) => `---\nmodel: m\nconfig:\n  seed: ${number}\n---\nHi`,
  },
  {
    ...{ reader: 'claude', path: '.claude/agents/a.md', line: 4 },
    text: (number: string) => `---\nname: a\ndescription: d\nseed: ${number}\n---\nHi`,
  },
  {
    // A colon in a plain value: the fields are read one by one.
    ...{ reader: 'skill', path: '.claude/skills/a/SKILL.md', line: 4 },
    text: (number: string) => `---\nname: a\ndescription: d: e\nseed: ${number}\n---\nHi`,
  },
  {
    ...{ reader: 'github-models', path: 'a.prompt.yml', line: 4, whole: 2 },
    text: (number: string) =>
      `messages: [{ role: user, content: Hi }]\njsonSchema: |-\n  { "name": "n",\n    "schema": { "maximum": ${number} } }\n`,
  },
  {
    ...{ reader: 'promptfoo', path: 'promptfooconfig.yaml', line: 2 },
    text: (number: string) => `prompts: ["Hi {{seed}}"]\ntests: [{ vars: { seed: ${number} } }]\n`,
  },
];

describe.each(ROWS)('$reader', ({ reader: id, path, line, whole = line, text }) => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  const read = (number: string) => {
    const adopted = adopt(reader, path, text(number));
    const told = adopted.diagnostics.filter(({ message }) => message.includes('The number'));
    return { adopted, told };
  };

  it('names a number that is changed, at its line, and no other', () => {
    for (const number of ['9007199254740993', '12345678901234567890', '0.1234567890123456789'])
      expect(read(number).told).toMatchObject([
        { code: 'W_IMPORT_DIALECT', severity: 'info', line, message: expect.stringContaining(number) },
      ]);
    for (const number of ['0.1', '1.50', '1e3', '9007199254740992', '-0'])
      expect(read(number).told).toEqual([]);
  });

  it('never sends one that is past every number', () => {
    const { adopted, told } = read('1e400');
    expect(told).toMatchObject([{ line: whole }]);
    for (const { params } of adopted.sheets) expect(JSON.stringify(params)).not.toMatch(/null|seed/);
    for (const { text: printed } of printFiles(adopted))
      expect(printed).not.toMatch(/^params:(?:\n {2}.*)*\n {2}seed/m);
  });
});

describe('a TOML file', () => {
  const told = (text: string): readonly (readonly [number | undefined, string])[] => {
    const reader = readerOf('gemini');
    if (reader === undefined) throw new Error('gemini');
    return adopt(reader, '.gemini/commands/a.toml', text).diagnostics.flatMap(({ line, message }) => {
      const number = /^The number (\S+)/.exec(message)?.[1];
      return number === undefined ? [] : [[line, number] as const];
    });
  };
  const LONG = '0.12345678901234567890';

  it.each([
    { what: 'a value', text: `x = ${LONG}`, line: 1 },
    { what: 'a value with a sign and an exponent', text: `x = -${LONG}e5`, line: 1, sign: `-${LONG}e5` },
    { what: 'a value of a table', text: `[1.5]\nx = 1\n"y = " = ${LONG}`, line: 3 },
    { what: 'an item of a list', text: `x = [\n  1.5, # 2\n  [${LONG}],\n]`, line: 3 },
    { what: 'a value of an inline table', text: `x = { a = 1, 2.5 = ${LONG} }`, line: 1 },
  ])('names $what that loses digits', ({ text, line, sign = LONG }) => {
    expect(told(`prompt = "Hi"\n${text}\n`)).toEqual([[line + 1, sign]]);
  });

  it.each([
    { what: 'a text', text: `x = "${LONG}"\ny = '${LONG}'` },
    { what: 'a text of several lines', text: `x = """\n = ${LONG} \\"""\ny\n"""\nz = '''\n= ${LONG}''''` },
    { what: 'a comment', text: `x = 1 # = ${LONG}\n# = ${LONG}` },
    { what: 'a key', text: `${LONG} = 1\n[${LONG}]\nx = { ${LONG} = 2 }` },
    {
      what: 'a time',
      text: 'x = 1979-05-27T00:32:00.12345678901234567890\ny = 00:32:00.12345678901234567890',
    },
    { what: 'a number that is held', text: 'x = [1_000.50, 1e3, 0x1F, inf, -nan]' },
  ])('says nothing of $what', ({ text }) => {
    expect(told(`prompt = "Hi"\n${text}\n`)).toEqual([]);
  });
});
