import { createRequire } from 'node:module';
import type { ChatPromptClient as Chat, TextPromptClient as Text } from '@langfuse/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { corePieces, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { adopt, type Message, rendered } from '../../test/render.js';
import { handedIn } from '../../test/sections.js';
import { langfuseReader } from './langfuse.js';

const { ChatPromptClient, TextPromptClient } = createRequire(import.meta.url)('@langfuse/client') as {
  ChatPromptClient: typeof Chat;
  TextPromptClient: typeof Text;
};

const BASE = { config: {}, labels: ['production'], tags: [], version: 1, name: 'p' };
const file = (...prompts: readonly object[]): string =>
  JSON.stringify(
    prompts.map((prompt) => ({ ...BASE, ...prompt })),
    null,
    2,
  );
const read = (text: string, how = {}) => adopt(langfuseReader, 'lf.json', text, how);
const codes = (text: string, how = {}) =>
  read(text, how).diagnostics.map(
    ({ code, severity, line, column }) => `${line}:${column} ${severity} ${code}`,
  );

/** What the official library sends. */
const theirs = (
  prompt: readonly Message[],
  vars: Record<string, string>,
  messages: Record<string, unknown> = {},
) =>
  (
    new ChatPromptClient({ ...BASE, type: 'chat', prompt } as never).compile(
      vars,
      messages,
    ) as readonly Message[]
  )
    .map(({ role, content }) => ({ role, content }))
    .filter(({ content }) => content !== '');

describe('prompts of the portable core', () => {
  const role = fc.constantFrom('system', 'user', 'assistant');
  const chat = fc.array(fc.record({ role, pieces: corePieces }), { minLength: 1, maxLength: 4 });

  it('render the bytes of @langfuse/client', async () => {
    await fc.assert(
      fc.asyncProperty(chat, values, async (messages, vars) => {
        const prompt = messages.map(({ role: of, pieces }) => ({
          role: of,
          content: printed(pieces, (name) => `{{${name}}}`),
        }));
        const adopted = read(file({ type: 'chat', prompt }));
        expect(adopted.diagnostics).toEqual([]);
        expect(await rendered(adopted, vars)).toEqual(theirs(prompt, vars));
      }),
      runs(200, 2000),
    );
  });

  it('render as text prompts, with references and inlined ones', async () => {
    await fc.assert(
      fc.asyncProperty(corePieces, corePieces, values, fc.boolean(), async (inner, outer, vars, inline) => {
        const rules = printed(inner, (name) => `{{${name}}}`);
        const text = `${printed(outer, (name) => `{{${name}}}`)}@@@langfusePrompt:name=rules|label=production@@@`;
        const adopted = read(
          file({ type: 'text', prompt: text }, { name: 'rules', type: 'text', prompt: rules }),
          { inline },
        );
        expect(adopted.diagnostics).toEqual([]);
        const resolved = text.replace(/@@@.*@@@/, () => rules);
        const content = new TextPromptClient({ ...BASE, type: 'text', prompt: resolved } as never).compile(
          vars,
        );
        expect(await rendered(adopted, vars, 'p')).toEqual([{ role: 'user', content }]);
      }),
      runs(100, 1000),
    );
  });
});

describe('prompts outside of the core', () => {
  it('are refused or told, and never render other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wildTemplate, async (template) => {
        const prompt = [{ role: 'user', content: `x${template}` }];
        const adopted = read(file({ type: 'chat', prompt }));
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const vars = { a: 'A', b: 'B', 'user name': 'U', größe: 'G', _a: 'under' };
        expect(await rendered(adopted, handedIn(adopted, vars))).toEqual(theirs(prompt, vars));
        if (/\{\{[{&!]|\{\{\s*(?:a\.b|user name|größe|_a)\s*\}\}/.test(template))
          expect(adopted.diagnostics.length).toBeGreaterThan(0);
      }),
      runs(1000, 10_000),
    );
  });

  it.each([
    {
      what: 'a section',
      content: 'Hi {{#x.map}}y{{/x.map}}',
      told: ['6:22 warning W_IMPORT_SECTION'],
    },
    { what: 'a tag that is open', content: 'a {{ b', told: ['6:21 error E_IMPORT_SYNTAX'] },
    { what: 'an escape before the tag', content: 'é\n\t{{> p}}', told: ['6:24 warning W_IMPORT_HELPER'] },
    { what: 'an inherited name', content: '{{constructor}}', told: ['6:19 warning W_IMPORT_NAME'] },
  ])('$what is named by line and column', ({ content, told }) => {
    const text = `[\n{"name": "p",\n"type": "text",\n"version": 1,\n"labels": ["production"],\n"prompt":        ${JSON.stringify(content)}}]`;
    expect(codes(text)).toEqual(told);
  });
});

describe('the file', () => {
  const text = { type: 'text', prompt: 'Hi' };

  it('gives the version that production runs, one that is named, or all', () => {
    const versions = file(
      { ...text, version: 1 },
      { ...text, version: 2, labels: ['staging'], prompt: 'Ho' },
    );
    const names = (how: object) =>
      read(versions, how).sheets.map(({ name, meta }) => [
        name,
        (meta.source as { version: number }).version,
      ]);
    expect(names({})).toEqual([['p', 1]]);
    expect(names({ label: 'staging' })).toEqual([['p', 2]]);
    expect(names({ version: '2' })).toEqual([['p', 2]]);
    expect(names({ all: true })).toEqual([
      ['p.v1', 1],
      ['p.v2', 2],
    ]);
    expect(names({ label: 'none' })).toEqual([]);
    expect(codes(versions, { label: 'none' })).toEqual([expect.stringContaining('warning E_IMPORT_SELECT')]);
    expect(codes(file({ ...text, labels: ['latest'] }))).toEqual([
      expect.stringContaining('info W_IMPORT_LABEL'),
    ]);
  });

  it('is an answer of the API, too', () => {
    const one = JSON.stringify({ ...BASE, ...text, id: 'x', createdAt: 'y' });
    expect(read(one).sheets[0]?.meta).toMatchObject({
      langfuse: { id: 'x', createdAt: 'y' },
      labels: ['production'],
    });
    expect(read(`{"data":[${one}]}`).sheets).toHaveLength(1);
    expect(codes('{"data":[{"name":"a","versions":[1]}]}')).toEqual(['1:10 error E_IMPORT_SYNTAX']);
  });

  it('keeps placeholders as histories', async () => {
    const prompt = [
      { role: 'system', content: 'S' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: 'Q' },
    ];
    const adopted = read(file({ type: 'chat', prompt }));
    const earlier = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ];
    const all = theirs(prompt as never, {}, { history: earlier });
    const ours = await rendered(adopted, { history: JSON.stringify(earlier) });
    expect(ours.map(({ role }) => role)).toEqual(all.map(({ role }) => role));
    expect(await rendered(adopted, {})).toEqual(theirs(prompt as never, {}, { history: [] }));
  });

  it.each([
    {
      what: 'a cycle',
      prompts: [
        { name: 'a', type: 'text', prompt: '@@@langfusePrompt:name=b|version=1@@@' },
        { name: 'b', type: 'text', prompt: 'x@@@langfusePrompt:name=a|version=1@@@' },
      ],
    },
    {
      what: 'a missing target',
      prompts: [{ name: 'a', type: 'text', prompt: 'x@@@langfusePrompt:name=b|version=9@@@' }],
    },
    {
      what: 'a chat target',
      prompts: [
        { name: 'a', type: 'text', prompt: 'x@@@langfusePrompt:name=b|version=1@@@' },
        { name: 'b', type: 'chat', prompt: [{ role: 'user', content: 'q' }] },
      ],
    },
    {
      what: 'a line across the edge',
      prompts: [
        { name: 'a', type: 'text', prompt: 'x\n {{! c }}@@@langfusePrompt:name=b|version=1@@@' },
        { name: 'b', type: 'text', prompt: 'q' },
      ],
    },
    {
      what: 'a tag across the edge',
      prompts: [
        { name: 'a', type: 'text', prompt: 'x{{a}@@@langfusePrompt:name=b|version=1@@@' },
        { name: 'b', type: 'text', prompt: '} q' },
      ],
    },
  ])('refuses references that cannot be kept: $what', ({ prompts }) => {
    const adopted = read(file(...prompts));
    expect(adopted.sheets.map(({ name }) => name)).not.toContain('a');
    expect(
      adopted.diagnostics.some(({ code }) => code === 'W_IMPORT_REFERENCE' || code === 'E_IMPORT_SYNTAX'),
    ).toBe(true);
  });

  it('does not grow without end', () => {
    const laughs = Array.from({ length: 13 }, (_, level) => ({
      name: `n${level}`,
      type: 'text',
      prompt: level === 0 ? 'ha' : `@@@langfusePrompt:name=n${level - 1}|version=1@@@`.repeat(2),
    }));
    expect(codes(file(...laughs)).some((line) => line.endsWith('warning W_IMPORT_REFERENCE'))).toBe(true);
    const empty = laughs.map((each, level) => (level === 0 ? { ...each, prompt: '' } : each));
    expect(read(file(...empty)).sheets.length).toBeLessThanOrEqual(13);
  });

  it.each([
    { what: 'no JSON', text: '[{]', told: '1:3 error E_IMPORT_SYNTAX' },
    {
      what: 'a key twice',
      text: '[{"name":"a","name":"b","prompt":"x"}]',
      told: '1:14 error E_IMPORT_SYNTAX',
    },
    { what: 'too deep', text: `${'['.repeat(5000)}`, told: '1:201 error E_IMPORT_SYNTAX' },
    { what: 'nothing', text: '', told: '1:1 error E_IMPORT_SYNTAX' },
  ])('that is broken is told: $what', ({ text: broken, told }) => {
    expect(codes(broken)).toEqual([told]);
  });

  itInTurn('has hostile names, keys, bytes and sizes', () => {
    const evil = read(
      file(
        { name: '../../etc/passwd', type: 'text', prompt: 'x' },
        { name: '__proto__', type: 'text', prompt: 'y' },
      ),
    );
    expect(evil.sheets.map(({ name }) => name)).toEqual(['etc/passwd', 'proto__']);
    const keyed = read(
      `[{"name":"a","type":"text","prompt":"x","version":1,"labels":["production"],"config":{"__proto__":{"polluted":true}}}]`,
    );
    expect(keyed.sheets[0]?.params).toEqual({});
    expect(Object.keys((keyed.sheets[0]?.meta.config ?? {}) as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const bytes = Uint8Array.from([...Buffer.from('[{"name":"'), 0xff, ...Buffer.from('"}]')]);
    expect(langfuseReader.read({ path: 'x', bytes }, {}).diagnostics).toMatchObject([
      { code: 'E_IMPORT_SYNTAX', line: 1, column: 11 },
    ]);
    const many = read(file({ type: 'text', prompt: '{{a}} '.repeat(100_000) }));
    expect(many.sheets[0]?.blocks).toHaveLength(1);
    const large = read(file({ type: 'text', prompt: 'x'.repeat(10_000_000) }));
    expect(large.sheets).toHaveLength(1);
    expect(
      langfuseReader.read({ path: 'x', bytes: new Uint8Array(17 * 1024 * 1024) }, {}).diagnostics,
    ).toMatchObject([{ code: 'E_IMPORT_SYNTAX', message: expect.stringContaining('larger than') }]);
  });
});
