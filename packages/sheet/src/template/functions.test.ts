import { hash as digest } from 'node:crypto';
import { memorySource } from '@cuebook/files';
import { composeTarget } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { sheetProfile } from '../profile.js';

/** What a template gives for a value that is handed in as JSON. */
async function made(template: string, value: unknown, trust = 'operator') {
  const project = memorySource({
    'sheets/a.yaml': JSON.stringify({
      inputs: { v: { trust, secrecy: 'public', volatility: 'turn', required: false, type: 'json' } },
      blocks: [{ name: 'b', role: 'user', parts: [{ template: `<${template}>` }] }],
    }),
  });
  if (!project.ok) throw new Error(project.error.code);
  const result = await composeTarget(
    {
      profiles: [sheetProfile],
      project: project.value,
      hash: (text) => `sha256:${digest('sha256', text)}`,
      redactor: createRedactor({ roots: [], private: [], names: [] }),
    },
    'sheet:a',
    { set: value === undefined ? {} : { v: JSON.stringify(value) } },
  );
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.value.prompt;
}

/** JSON whose texts nobody reads as more than text. */
const json = fc.option(
  fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, '', [], {}, [null], [[1, [2]], 'x']),
    fc
      .jsonValue({ maxDepth: 2 })
      .map((value) => JSON.parse(JSON.stringify(value).replace(/[^\x20-\x7e]/g, '?'))),
  ),
  { nil: undefined, freq: 8 },
);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

describe('functions of templates', () => {
  it.each([
    {
      template: '{{text .v}}',
      says: (value: unknown) => (value === undefined || value === null ? '' : String(value)),
    },
    { template: '{{truthy .v}}', says: (value: unknown) => String(Boolean(value)) },
    {
      template: '{{present .v}}',
      says: (value: unknown) => String(Boolean(value) && !(isList(value) && value.length === 0)),
    },
    {
      template: '{{range items .v}}[{{text .}}]{{end}}',
      says: (value: unknown) =>
        Object.values(typeof value === 'object' && value !== null ? value : {})
          .map((each) => `[${each === null ? '' : String(each)}]`)
          .join(''),
    },
    {
      template: '{{text (field .v "a" "b")}}',
      says: (value: unknown) => {
        const own = (from: unknown, key: string): unknown =>
          typeof from === 'object' && from !== null && !isList(from) && Object.hasOwn(from, key)
            ? (from as Record<string, unknown>)[key]
            : undefined;
        const found = own(own(value, 'a'), 'b');
        return found === undefined || found === null ? '' : String(found);
      },
    },
    {
      template: '{{range each .v}}x{{end}}',
      says: (value: unknown) => 'x'.repeat(isList(value) ? value.length : value ? 1 : 0),
    },
  ])('$template says of any JSON what JavaScript says', async ({ template, says }) => {
    const known = fc.oneof(
      json,
      json.map((b) => ({ a: { b: b ?? null } })),
    );
    await fc.assert(
      fc.asyncProperty(known, async (value) => {
        expect((await made(template, value)).text).toBe(`<${says(value)}>`);
      }),
      runs(200, 4000),
    );
  });

  it('an input stays what it is in all of them, with its labels', async () => {
    for (const template of [
      '{{text .v}}',
      '{{range items .v}}{{text .}}{{end}}',
      '{{text (lookup "" .v "a")}}',
    ]) {
      const value = template.includes('items') ? ['x y'] : template.includes('lookup') ? { a: 'x y' } : 'x y';
      const { blocks } = await made(template, value, 'external');
      const spans = blocks[0]?.spans.filter(({ origin }) => origin.kind === 'input') ?? [];
      expect(
        spans.map(({ trust, origin }) => [trust, origin.ref]),
        template,
      ).toEqual([['external', 'v']]);
      expect(blocks[0]?.text).toContain('- trust: external\nx y\n');
    }
  });

  it('a loop that needs a list refuses a text', async () => {
    await expect(made('{{range list .v}}x{{end}}', 'abc')).rejects.toThrow('a loop needs a list');
    expect((await made('{{range list .v}}x{{end}}', { a: 1 })).text).toBe('<>');
    expect((await made('{{add 1 2}}', null)).text).toBe('<3>');
  });
});
