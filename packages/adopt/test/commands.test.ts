import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import type { ImportDraft } from '../src/draft.js';
import { claudeReader } from '../src/readers/claude.js';
import { ARGUMENT_NAMES, claudeSends, commandBodies, TYPED, type Typed } from './commands.js';
import { adopt, rendered } from './render.js';

const HEAD = `---\ndescription: d\narguments: [${ARGUMENT_NAMES.join(', ')}]\n---\n`;
const PATH = '.claude/commands/t.md';
const read = (body: string): ImportDraft => adopt(claudeReader, PATH, `${HEAD}${body}`, { firstArgument: 0 });

/** The inputs of a command as a person hands them in who typed this; what was not typed is left out. */
function handed(names: readonly string[], { line, words }: Typed): Readonly<Record<string, string>> {
  const named = names.map((name, index) => [name, words[index]] as const);
  const numbered = words.map((word, index) => [`argument_${index + 1}`, word] as const);
  const known = [['arguments', line] as const, ...named, ...numbered];
  return Object.fromEntries(
    known.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  );
}

/** A number without a word is a required input: its sheet is not rendered, where the tool leaves the number. */
const isMissing = (adopted: ImportDraft): boolean =>
  [...(adopted.sheets[0]?.inputs ?? [])].some(
    ([name, { required }]) => required && !(name in handed(ARGUMENT_NAMES, TYPED)),
  );

describe('a command of Claude Code', () => {
  it.each(['core', 'near'] as const)('sends as a sheet what its documentation says: %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(commandBodies[kind], async (body) => {
        const adopted = read(body);
        expect(adopted.sheets).toHaveLength(1);
        const set = handed(ARGUMENT_NAMES, TYPED);
        if (isMissing(adopted)) await expect(rendered(adopted, set)).rejects.toThrow('E_INPUT');
        else
          expect(await rendered(adopted, set)).toEqual([
            { role: 'user', content: claudeSends(body, ARGUMENT_NAMES, TYPED) },
          ]);
      }),
      runs(300, 4000),
    );
  });

  it('is refused where it runs a shell command, or sent as it is written', async () => {
    await fc.assert(
      fc.asyncProperty(commandBodies.shell, async (body) => {
        const adopted = read(body);
        const refused = adopted.sheets.length === 0;
        if (!refused && !isMissing(adopted))
          expect(await rendered(adopted, handed(ARGUMENT_NAMES, TYPED))).toEqual([
            { role: 'user', content: claudeSends(body, ARGUMENT_NAMES, TYPED) },
          ]);
        expect(refused).toBe(adopted.diagnostics.some(({ code }) => code === 'W_IMPORT_COMMAND'));
      }),
      runs(300, 4000),
    );
  });

  it.each([
    ['a name that is more than a word', 'arguments: [a-b]', 'T $a-b', 'W_IMPORT_NAME'],
    ['a name that is another token', 'arguments: [ARGUMENTS]', 'T $ARGUMENTS', 'W_IMPORT_NAME'],
    ['a shell command in a fence', 'description: d', '```\n!`git log`\n```', 'W_IMPORT_COMMAND'],
    ['a shell command behind a bracket', 'description: d', '(!`git log`)', 'W_IMPORT_COMMAND'],
    ['a fence of four that runs', 'description: d', '````!\ngit log\n````', 'W_IMPORT_COMMAND'],
    ['an indented fence that runs', 'description: d', '- ```!\n  git log\n  ```', 'W_IMPORT_COMMAND'],
  ])('is refused for %s', (_, field, body, code) => {
    const adopted = adopt(claudeReader, PATH, `---\n${field}\n---\n${body}\n`, { firstArgument: 0 });
    expect(adopted.sheets).toEqual([]);
    expect(adopted.diagnostics.map((each) => each.code)).toContain(code);
  });

  it('keeps a declared name apart from what its tokens are called', async () => {
    const text =
      '---\ndescription: d\narguments: [x, arguments, argument_1]\n---\n$ARGUMENTS|$arguments|$argument_1|$0';
    const adopted = adopt(claudeReader, PATH, text, { firstArgument: 0 });
    expect([...(adopted.sheets[0]?.inputs.keys() ?? [])]).toEqual([
      'arguments',
      'input_arguments',
      'input_argument_1',
      'argument_1',
    ]);
  });

  it.each([
    ['tools that count from 1 know no escape', 'T \\$1', undefined],
    ['they take a number with a letter behind it', 'T $1st $ARGUMENTS', 'T onest one "two b" 3'],
    ['they have no list of arguments', 'T $ARGUMENTS[0]', 'T one "two b" 3[0]'],
  ])('counted from 1: %s', async (_, body, sent) => {
    const adopted = adopt(claudeReader, PATH, body, { firstArgument: 1 });
    if (sent === undefined) expect(adopted.sheets).toEqual([]);
    else expect(await rendered(adopted, handed([], TYPED))).toEqual([{ role: 'user', content: sent }]);
  });
});
