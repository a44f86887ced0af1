import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { labelInputs } from './label-inputs.js';
import { mergeAdopted } from './merge.js';
import { readerOf } from './readers.js';

const role = fc.constantFrom('system', 'user');
const prompt = fc.array(fc.record({ role, name: fc.constantFrom('q', 'tone', '') }), {
  minLength: 1,
  maxLength: 3,
});
/** Files whose prompts use the same words, the same messages and the same names. */
const files = fc.array(fc.array(prompt, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

describe('who can write an input', () => {
  it('each message that changes by it is told, and each input in each file, however many there are', () => {
    fc.assert(
      fc.property(files, fc.boolean(), (all, systemToUser) => {
        const read = all.map((prompts, file) =>
          readerOf('langfuse')?.read(
            {
              path: `f${file}.json`,
              bytes: Buffer.from(
                JSON.stringify(
                  prompts.map((messages, index) => ({
                    ...{ name: `p${file}-${index}`, version: 1, type: 'chat', config: {}, tags: [] },
                    labels: ['production'],
                    prompt: messages.map(({ role: of, name }) => ({
                      role: of,
                      content: name === '' ? 'T' : `T {{${name}}}`,
                    })),
                  })),
                ),
              ),
            },
            {},
          ),
        );
        const draft = mergeAdopted(read.flatMap((each) => each ?? []));
        const choice = { all: 'user', byName: new Map<string, string>(), systemToUser };
        const { sheets, diagnostics } = labelInputs(draft, choice);
        const told = (code: string, severity: string, words: string): number =>
          diagnostics.filter(
            (each) => each.code === code && each.severity === severity && each.message.includes(words),
          ).length;
        const rolesOf = (list: typeof sheets): readonly (string | undefined)[] =>
          list.flatMap(({ blocks }) => blocks.map((block) => ('role' in block ? block.role : undefined)));
        const [before, after] = [rolesOf(draft.sheets), rolesOf(sheets)];
        const moved = before.filter((each, index) => each !== after[index]).length;
        expect(told('W_IMPORT_ROLE', 'info', 'became a user message')).toBe(moved);
        // An input is told of once a file.
        const inputs = all.map((prompts) => new Set(prompts.flat().flatMap(({ name }) => name || [])).size);
        expect(told('W_IMPORT_DIALECT', 'info', 'is fenced')).toBe(
          inputs.reduce((sum, each) => sum + each, 0),
        );
        // A person answers once for a name, wherever it is asked.
        const asked = diagnostics
          .filter(({ code }) => code === 'E_IMPORT_TRUST')
          .map(({ message }) => message);
        expect(new Set(asked).size).toBe(asked.length);
      }),
      runs(300, 5000),
    );
  });
});
