import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { EditorProject } from '../project.js';
import { type OutlineItem, outlineOf } from './outline.js';

const PATHS = [
  'sheets/a.yaml',
  'texts/a.yaml',
  'texts/a.md',
  'docs/templates/a.md',
  'team.yaml',
  'manifests/a.yaml',
  'workflows/a/b.graph.json',
  'workflows/a/steps/c.md',
  'agents/prompts/a.ts',
  'agents/tools/a.ts',
  'README.md',
];

/** Pieces of all formats, in any order: right, half-written, hostile. */
const PIECES = [
  'inputs:\n  topic: { trust: user }\n',
  'blocks:\n',
  '  - name: rules\n    role: system\n    parts:\n      - text: Hi\n      - include: tone\n',
  '  - { name: "", role: user, parts: [{ input: a }, 7, null] }\n',
  '  - history: { max: 3 }\n',
  'parts:\n  - text: |\n      # no heading\n  - template: "{{.a}}"\n',
  '# One\n',
  '### Three ###\n',
  '```\n# in code\n',
  '~~~~\n',
  'nodes:\n  - { alias: lead, role: r }\n  - 7\nedges:\n  - { from: lead, to: dev }\n',
  '{"nodes":[{"id":"a","agentId":"b"}],"edges":[{"from":"a","to":"c"}]}',
  'kind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: x\n  "b c": y\n---\n',
  "export default definePrompt({ name: 'a', tools: ['b', \"c\"], prompt: `name: 'no'` });\n",
  "variables: [{ name: 'V' }], ",
  '&a [*a, *a]\n',
  '😀: "\\u0000"\n',
  '\r\n',
  '\t',
  '[',
  '{',
];

const outline = (file: string, text: string): Promise<readonly OutlineItem[]> =>
  outlineOf({ text: async () => text } as unknown as EditorProject, file);

/** Editors refuse a name that stands outside of its part, and parts that overlap. */
function requireNested(
  items: readonly OutlineItem[],
  within: { readonly start: number; readonly end: number },
): void {
  let last = within.start;
  for (const { name, range, selection, children } of items) {
    expect(name).not.toBe('');
    expect(range.start).toBeGreaterThanOrEqual(last);
    expect(range.end).toBeLessThanOrEqual(within.end);
    expect(selection.start).toBeGreaterThanOrEqual(range.start);
    expect(selection.end).toBeLessThanOrEqual(range.end);
    expect(selection.start).toBeLessThanOrEqual(selection.end);
    requireNested(children, range);
    last = range.end;
  }
}

it('has parts inside parts, in order, each around its name, whatever is typed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), {
        maxLength: 8,
      }),
      fc.nat(),
      async (file, pieces, cut) => {
        const whole = pieces.join('');
        const text = cut % 3 === 0 ? whole.slice(0, cut % (whole.length + 1)) : whole;
        requireNested(await outline(file, text), { start: 0, end: text.length });
      },
    ),
    runs(600, 3_000),
  );
});

it('names what a definition is and calls, and not what its words or variables say', async () => {
  const text =
    "export default definePrompt({ variables: [{ name: 'V' }], prompt: `name: 'no'`, tools: ['b'], name: 'a' });\n";
  const [own, ...rest] = await outline('agents/prompts/a.ts', text);
  expect([own?.name, own?.detail, rest]).toEqual(['a', 'prompt', []]);
  expect(own?.children.map(({ name }) => name)).toEqual(['b']);
});
