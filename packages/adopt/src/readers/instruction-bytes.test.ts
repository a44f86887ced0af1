import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { exportOf, promptOf } from '../../test/exported.js';
import { adopt, rendered } from '../../test/render.js';
import { READERS, readerOf } from '../readers.js';
import { findRegion, printRegion } from '../region.js';
import { writerOf } from '../writers.js';

const words = fc
  .array(
    fc.constantFrom(
      ...'aZ .,:;-_*#<>|\\/%&!?~^="\'`éß中😀[](){}',
      ...[
        '\n',
        '\r\n',
        '\t',
        '  ',
        '@a.md',
        '$1',
        '$ARGUMENTS',
        '{{args}}',
        '!{ls}',
        '```',
        '---',
        '<!-- c -->',
        '$x',
      ],
    ),
    { maxLength: 14 },
  )
  .map((parts) => `T${parts.join('')}`);

const read = (path: string, text: string) => {
  const reader = READERS.find(({ detect }) => detect(path, text));
  if (reader === undefined) throw new Error(path);
  return adopt(reader, path, text, { file: () => undefined, firstArgument: 0 });
};

describe.each([
  { format: 'claude', path: 'CLAUDE.md' },
  { format: 'agents-md', path: 'pkg/AGENTS.md' },
  { format: 'gemini', path: 'GEMINI.md' },
  { format: 'copilot', path: '.github/copilot-instructions.md' },
  { format: 'cursor', path: '.cursorrules' },
])('any text in $path', ({ path }) => {
  it('is sent byte for byte, or what is not is told', async () => {
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const adopted = read(path, text);
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const [message] = await rendered(adopted, {});
        expect(message?.content).toBe(text);
      }),
      runs(300, 3000),
    );
  });
});

describe.each([
  { id: 'claude-agent', reader: 'claude' },
  { id: 'skill', reader: 'skill' },
  { id: 'cursor', reader: 'cursor' },
  { id: 'copilot', reader: 'copilot' },
])('any instruction as $id', ({ id, reader }) => {
  it('is refused, or read back as it was, and written again to the same bytes', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(
        words,
        // A title is a line for people: formats trim it.
        fc
          .string({ unit: fc.constantFrom(...'ab:#"\'\\-[]{}&*!|>%@, é'), minLength: 1, maxLength: 12 })
          .map((title) => `t${title}`.trim()),
        fc.subarray(['Read', 'Bash(git *)', 'Edit']),
        async (text, title, capabilities) => {
          const prompt = promptOf([{ role: 'system', parts: [{ text }] }], {
            name: 'x',
            title,
            capabilities,
          });
          const first = writerOf(id)?.write(prompt);
          if (first?.file === undefined)
            return void expect(first?.diagnostics.map(({ code }) => code)).toContainEqual(
              expect.stringMatching(/^E_EXPORT_/),
            );
          const again = readerOf(reader)?.read(
            { path: first.file.path, bytes: Buffer.from(first.file.text) },
            { file: () => undefined },
          );
          if (again === undefined) throw new Error(reader);
          // What the tool itself would act on is told when it is read again.
          if (again.sheets.length === 0 || again.diagnostics.some(({ severity }) => severity !== 'info'))
            return;
          written += 1;
          const [message] = await rendered(
            adopt(readerOf(reader) as never, first.file.path, first.file.text),
            {},
          );
          expect(message?.content.trimEnd()).toBe(text.trimEnd());
          expect(writerOf(id)?.write(exportOf(again)).file).toEqual(first.file);
        },
      ),
      runs(300, 3000),
    );
    expect(written).toBeGreaterThan(0);
  });
});

it.each(['claude', 'agents-md'])('any text as a region of %s is found again', (id) => {
  fc.assert(
    fc.property(words, words, (text, around) => {
      const { file, diagnostics } = writerOf(id)?.write(promptOf([{ role: 'user', parts: [{ text }] }])) ?? {
        diagnostics: [],
      };
      if (file === undefined) return void expect(diagnostics.length).toBeGreaterThan(0);
      expect(file.text).toBe(text);
      const region = findRegion(`${around}\n${printRegion('sheet:p', file.text)}${around}`, 'sheet:p');
      expect(region?.body.trimEnd()).toBe(text.trimEnd());
    }),
    runs(300, 3000),
  );
});
