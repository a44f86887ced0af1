import { Dotprompt } from 'dotprompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { adopt, rendered } from '../../test/render.js';
import { handedIn, type Json } from '../../test/sections.js';
import { isLoss } from '../diagnostic.js';
import { dotpromptReader } from './dotprompt.js';

type Files = Readonly<Record<string, string>>;

const read = (
  text: string,
  files: Files,
  how: { readonly inline?: boolean } = {},
  path = 'prompts/p.prompt',
) =>
  adopt(dotpromptReader, path, text, {
    ...how,
    file: (name) => (files[name] === undefined ? undefined : Buffer.from(files[name])),
  });

async function theirs(source: string, partials: Files, input: Readonly<Record<string, Json>>) {
  const { messages } = await new Dotprompt({ partials }).render(source, { input });
  return messages
    .map(({ role, content }) => ({
      role: role === 'model' ? 'assistant' : role,
      content: content.map((part) => ('text' in part ? part.text : '')).join(''),
    }))
    .filter(({ content }) => content !== '');
}

/** Partials are one table for all of Handlebars: the names of this file are its own. */
const NAMES = ['pa', 'pb', 'pc', 'pd'];
const piece = (partials: readonly string[], isInside = false): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('x', ' ', '\n', '\n  ', '\r\n', 'word. ', '\t', '- y\n', '\n\n'),
    },
    { weight: 2, arbitrary: fc.constantFrom('{{a}}', '{{b}}', '{{~a}}', '{{! c }}', '{{c.d}}', '\\{{a}}') },
    ...(partials.length === 0
      ? []
      : [
          {
            weight: 4,
            arbitrary: fc
              .tuple(
                fc.constantFrom(
                  '{{> N}}',
                  '{{>N}}',
                  '{{~> N}}',
                  '{{> N ~}}',
                  '\n{{> N}}\n',
                  '\n  {{> N}}\n',
                  '{{> "N"}}',
                ),
                fc.constantFrom(...partials),
              )
              .map(([form, name]) => form.replace('N', name)),
          },
        ]),
    ...(isInside
      ? []
      : [
          {
            weight: 1,
            arbitrary: fc.constantFrom('{{role "system"}}', '{{role "user"}}', '{{role "model"}}'),
          },
          {
            weight: 1,
            arbitrary: fc
              .tuple(
                fc.constantFrom('{{#if b}}', '{{#each xs}}', '\n{{#unless b}}\n'),
                fc.array(
                  fc.oneof(
                    fc.constantFrom('y', '\n'),
                    fc
                      .constantFrom(...partials, 'x')
                      .map((name) => (NAMES.includes(name) ? `{{> ${name}}}` : name)),
                  ),
                  { maxLength: 3 },
                ),
              )
              .map(([open, body]) => `${open}${body.join('')}{{/${/#(\w+)/.exec(open)?.[1]}}}`),
          },
        ]),
  );
const body = (partials: readonly string[]) =>
  fc.array(piece(partials), { maxLength: 6 }).map((all) => all.join(''));
const project = fc.record({
  main: body(NAMES).map((text) => `m ${text}.`),
  pa: body(['pb', 'pc']),
  pb: body(['pc', 'pd']),
  pc: body(['pd']),
  pd: body([]),
});
const value = fc.constantFrom<Json>('A', '', ' ', 'two\nlines', 0, 1, 12, true, null, ['q', 'r'], { d: 'D' });

const texts = (vars: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(vars).map(([name, given]) => [
      name,
      typeof given === 'number' || typeof given === 'boolean' ? String(given) : given,
    ]),
  );

describe('partials', () => {
  it('give the bytes of the library, as includes or as text, or are refused by line and column', async () => {
    const seen = { kept: 0, refused: 0, included: 0 };
    await fc.assert(
      fc.asyncProperty(
        project,
        fc.record({ a: value, b: value, c: value, xs: value }),
        fc.boolean(),
        async ({ main, ...partials }, vars, inline) => {
          const files = Object.fromEntries(
            Object.entries(partials).map(([name, text]) => [`prompts/_${name}.prompt`, text]),
          );
          const adopted = read(main, files, { inline });
          if (adopted.sheets.length === 0) {
            seen.refused += 1;
            expect(adopted.diagnostics.filter(isLoss)).toContainEqual(
              expect.objectContaining({ line: expect.any(Number), column: expect.any(Number) }),
            );
            return;
          }
          seen.kept += 1;
          if (adopted.texts.length > 0) seen.included += 1;
          if (inline) expect(adopted.texts).toEqual([]);
          // Without conditions and loops every value is handed in as a text.
          const isTyped = [...(adopted.sheets[0]?.inputs.values() ?? [])].some(({ type }) => type === 'json');
          const given = isTyped ? vars : texts(vars);
          expect(await rendered(adopted, handedIn(adopted, given))).toEqual(
            await theirs(main, partials, given),
          );
        },
      ),
      runs(400, 3000),
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('are found beside the prompt, then in the folders above; those in folders by their path', async () => {
    const files = {
      '_tone.prompt': 'far',
      'prompts/_tone.prompt': 'near {{who}}',
      'prompts/shared/_end.prompt': 'End.\n',
    };
    const adopted = read('{{> tone}} {{> shared/end}}', files, {}, 'prompts/deep/p.prompt');
    expect(adopted.diagnostics.filter(isLoss)).toEqual([]);
    expect(adopted.texts).toEqual([
      { name: 'partials/tone', parts: [{ text: 'near ' }, { input: 'who' }] },
      { name: 'partials/shared/end', markdown: 'End.\n' },
    ]);
    expect(await rendered(adopted, { who: 'Ada' })).toEqual([{ role: 'user', content: 'near Ada End.\n' }]);
  });

  it.each([
    { what: 'one without a file', body: '{{> none}}', files: {}, at: 'prompts/p.prompt:1:1' },
    { what: 'one with values', body: '{{> a n="Z"}}', files: { a: 'x' }, at: 'prompts/p.prompt:1:1' },
    { what: 'one that is computed', body: '{{> (lookup . "x")}}', files: {}, at: 'prompts/p.prompt:1:1' },
    {
      what: 'a circle',
      body: '\n {{> a}}',
      files: { a: '{{> b}}', b: '{{> a}}' },
      at: 'prompts/p.prompt:2:2',
    },
    { what: 'fields', body: 'x{{> a}}', files: { a: '---\nmodel: m\n---\nHi' }, at: 'prompts/_a.prompt:1:1' },
    {
      what: 'what cannot be kept in it',
      body: '{{> a}}',
      files: { a: 'x\n {{json y}}' },
      at: 'prompts/_a.prompt:2:2',
    },
    { what: 'indented values', body: 'x\n  {{> a}}\n', files: { a: '{{y}}' }, at: 'prompts/p.prompt:2:3' },
    {
      what: 'values inside of a loop',
      body: '{{#each x}}{{> a}}{{/each}}',
      files: { a: '{{y}}' },
      at: 'prompts/p.prompt:1:12',
    },
    { what: 'a path out', body: '{{> ../../a}}', files: { a: 'x' }, at: 'prompts/p.prompt:1:1' },
  ])('$what is refused', ({ body: text, files, at }) => {
    const adopted = read(
      text,
      Object.fromEntries(
        Object.entries(files).map(([name, own]) => [`prompts/_${name}.prompt`, own as string]),
      ),
    );
    expect(adopted.sheets).toEqual([]);
    expect(
      adopted.diagnostics.filter(isLoss).map(({ file, line, column }) => `${file}:${line}:${column}`),
    ).toContain(at);
  });

  it('that double each other are refused before they grow', () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`prompts/_d${at}.prompt`, `{{> d${at + 1}}}{{> d${at + 1}}}`]),
    );
    for (const last of ['x'.repeat(100), '{{a}}']) {
      const adopted = read('{{> d0}}', { ...files, 'prompts/_d60.prompt': last });
      expect(adopted.sheets).toEqual([]);
      expect(adopted.diagnostics.filter(isLoss)[0]?.message).toContain('too large');
    }
  });

  it('alone are no prompt', () => {
    expect(read('Hi', {}, {}, 'prompts/_tone.prompt')).toMatchObject({
      sheets: [],
      diagnostics: [{ code: 'W_IMPORT_REFERENCE', severity: 'info' }],
    });
  });
});
