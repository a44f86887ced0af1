import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { value } from '../../test/arbitrary.js';
import { promptOf } from '../../test/exported.js';
import { adopt } from '../../test/render.js';
import type { DraftCases } from '../draft.js';
import { promptfooReader } from '../readers/promptfoo.js';
import type { ExportCase } from '../writer.js';
import { promptfooWriter } from './promptfoo.js';

const PROMPT = promptOf([
  { role: 'user', parts: [{ text: 'Q: ' }, { input: 'q' }, { text: ' ' }, { input: 'tone' }] },
]);

const write = (cases: readonly ExportCase[]) => promptfooWriter.write({ ...PROMPT, cases });
const readBack = (text: string): readonly DraftCases['cases'][number][] =>
  adopt(promptfooReader, 'evals/promptfooconfig.json', text).cases[0]?.cases ?? [];

/** A case of a file as export takes it. */
const caseOf = (each: Readonly<Record<string, unknown>>): ExportCase => {
  const {
    name,
    with: given,
    provider,
    model,
    answer,
  } = each as {
    readonly name: string;
    readonly with?: { readonly set: Record<string, string> };
    readonly provider?: string;
    readonly model?: string;
    readonly answer?: Record<string, unknown>;
  };
  return {
    name,
    set: given?.set ?? {},
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    answer: answer ?? {},
    more: [],
    lost: [],
  };
};

const texts = fc.array(value, { minLength: 1, maxLength: 2 });
const anyCase: fc.Arbitrary<ExportCase> = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    set: fc.dictionary(fc.constantFrom('q', 'tone', 'unused'), value, { maxKeys: 3 }),
    answer: fc.record(
      {
        equals: value,
        contains: texts,
        absent: texts,
        matches: fc.array(fc.constantFrom('^a', 'b+$', '\\d{2}', 'é', '\\p{L}'), {
          minLength: 1,
          maxLength: 2,
        }),
        startsWith: value.filter((text) => text.trim() !== ''),
        endsWith: value.filter((text) => text.trim() !== ''),
        words: fc.constant({ min: 1 }),
      },
      { requiredKeys: [] },
    ),
    voice: fc.constantFrom({}, { provider: 'openai', model: 'gpt-5' }, { provider: 'mine', model: 'x' }),
    more: fc.constantFrom([], [], ['script']),
    lost: fc.constantFrom([], [], ['request.contains']),
  })
  .map(({ voice, ...rest }) => ({ ...rest, ...voice }));

describe('cases as tests of promptfoo', () => {
  it('come back as they were, or what is lost is named', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyCase, { selector: ({ name }) => name, maxLength: 4 }), (cases) => {
        const { file, diagnostics } = write(cases);
        const again = readBack(file?.text ?? '');
        const names = again.map(({ name }) => name);
        for (const { name, set, answer, more, lost } of cases) {
          const told = diagnostics.some(({ message }) =>
            message.includes(`the case ${JSON.stringify(name)}:`),
          );
          const found = again.find((each) => each.name === name);
          if (found === undefined || more.length > 0 || lost.length > 0) expect(told).toBe(true);
          if (found === undefined) continue;
          const known = Object.entries(set).filter(([key]) => key !== 'unused');
          expect(caseOf(found).set).toEqual(Object.fromEntries(known));
          const { startsWith, endsWith, words, ...plain } = answer;
          if (told) continue;
          expect(
            [startsWith, endsWith].every((text) => text === undefined || 'matches' in caseOf(found).answer),
          ).toBe(true);
          for (const [key, expected] of Object.entries(plain))
            expect([caseOf(found).answer[key]].flat()).toEqual(expect.arrayContaining([expected].flat()));
        }
        expect(names.every((name) => cases.some((each) => each.name === name))).toBe(true);
      }),
      runs(1000, 10_000),
    );
  });

  it('are a fixed point after the first export', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyCase, { selector: ({ name }) => name, maxLength: 4 }), (cases) => {
        const again = readBack(write(cases).file?.text ?? '');
        const second = write(again.map(caseOf));
        expect(second.diagnostics.filter(({ message }) => message.includes('the case '))).toEqual([]);
        const third = readBack(second.file?.text ?? '');
        expect(third).toEqual(again);
        expect(write(third.map(caseOf)).file).toEqual(second.file);
      }),
      runs(1000, 10_000),
    );
  });

  it('ask the model that all of them ask', () => {
    const voiced = (model: string, name: string): ExportCase => ({
      ...{ name, set: {}, provider: 'openai', model },
      ...{ answer: { contains: 'x' }, more: [], lost: [] },
    });
    const providersOf = (cases: readonly ExportCase[]) => JSON.parse(write(cases).file?.text ?? '').providers;
    expect(providersOf([voiced('gpt-5', 'a'), voiced('gpt-5', 'b')])).toEqual(['openai:chat:gpt-5']);
    expect(providersOf([voiced('gpt-5', 'a'), voiced('gpt-6', 'b')])).toBeUndefined();
    expect(write([voiced('gpt-5', 'a'), voiced('gpt-6', 'b')]).diagnostics).toMatchObject([
      { code: 'W_EXPORT_LOST', severity: 'info' },
    ]);
  });
});
