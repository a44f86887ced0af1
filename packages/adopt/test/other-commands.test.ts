import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { copilotReader } from '../src/readers/copilot.js';
import { cursorReader } from '../src/readers/cursor.js';
import { geminiReader } from '../src/readers/gemini.js';
import { value } from './arbitrary.js';
import { adopt, rendered } from './render.js';

const WORDS = [...'ab Z.,:!?-*#>"\'{}$@é😀中\\', '\n', ' ', '\t', '- x\n', '---\n', "'''", '"""'];
const bodyOf = (tokens: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...tokens), fc.constantFrom(...WORDS)), { maxLength: 14 })
    .map((parts) => `T${parts.join('')}.\n`);

/** Every way in which TOML writes a text; undefined where it has none for this one. */
const TOML: readonly ((text: string) => string | undefined)[] = [
  (text) => JSON.stringify(text),
  (text) => (/['\n]/.test(text) ? undefined : `'${text}'`),
  (text) => (text.includes("'''") ? undefined : `'''\n${text}'''`),
  (text) => `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`,
];

describe('a command of Gemini CLI', () => {
  it('sends its text with what was typed, or is refused where the tool runs or reads something', async () => {
    const body = bodyOf([
      '{{args}}',
      '{{ args }}',
      '{{args',
      '{args}',
      '!{ls}',
      '@{a.md}',
      '!{',
      '@{',
      '{{x}}',
    ]);
    await fc.assert(
      fc.asyncProperty(body, fc.nat(3), value, async (text, form, args) => {
        const written = TOML[form]?.(text);
        fc.pre(written !== undefined);
        const file = `description = "d"\nprompt = ${written}\n`;
        const adopted = adopt(geminiReader, '.gemini/commands/t.toml', file);
        const isFilled = /[!@]\{/.test(text);
        expect(adopted.sheets).toHaveLength(isFilled ? 0 : 1);
        if (isFilled) expect(adopted.diagnostics.some(({ severity }) => severity === 'warning')).toBe(true);
        else
          expect(await rendered(adopted, { args })).toEqual([
            { role: 'user', content: text.split('{{args}}').join(args) },
          ]);
      }),
      runs(300, 4000),
    );
  });
});

const brace = (name: string): string => `$\{${name}}`;
const KNOWN = [
  'input:',
  'file',
  'fileBasename',
  'fileDirname',
  'selection',
  'selectedText',
  'workspaceFolder',
];
const OPEN = brace('').slice(0, -1);

describe('a prompt file of VS Code', () => {
  it('sends its text with its inputs, or is refused where the editor fills it', async () => {
    const names = [
      'input:a',
      'input:b:what it is',
      'input:a:x:y',
      'file',
      'selection',
      'HOME',
      'input',
      'inputs:a',
    ];
    const body = bodyOf([...names.map(brace), OPEN, `${OPEN}input:a`, `${OPEN}x `, '}']);
    await fc.assert(
      fc.asyncProperty(body, value, async (text, typed) => {
        const adopted = adopt(copilotReader, '.github/prompts/t.prompt.md', text);
        if (adopted.sheets.length === 0) {
          expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
          expect(KNOWN.some((name) => text.includes(`${OPEN}${name}`))).toBe(true);
          return;
        }
        const sent = text.replace(/\$\{input:[^}:\n]*[^}:\s][^}:\n]*(?::[^}\n]*)?\}/g, () => typed);
        const set = Object.fromEntries(
          [...(adopted.sheets[0]?.inputs.keys() ?? [])].map((name) => [name, typed]),
        );
        expect(await rendered(adopted, set)).toEqual([{ role: 'user', content: sent }]);
      }),
      runs(300, 4000),
    );
  });
});

describe('a rule of Cursor', () => {
  it('sends its text byte for byte, whatever its fields hold', async () => {
    const field = fc.constantFrom(
      ...['globs: **/*.ts', 'globs:', 'globs: {a,b}/*.ts, *.md', 'alwaysApply: true', 'alwaysApply: "true"'],
      ...['description: a: b', 'description: "q', 'description: # no', 'other: [x', '# comment', ''],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(field, { selector: (line) => line.split(':')[0] ?? '' }),
        bodyOf(['x']),
        async (fields, text) => {
          const adopted = adopt(
            cursorReader,
            '.cursor/rules/t.mdc',
            `---\n${fields.map((line) => `${line}\n`).join('')}---\n${text}`,
          );
          expect(await rendered(adopted, {})).toEqual([{ role: 'user', content: text }]);
        },
      ),
      runs(300, 4000),
    );
  });
});
