import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { ProjectDiff } from '../project/project-diff.js';
import { changeMarkdown } from './change-markdown.js';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '```',
    '`````diff',
    '~~~',
    '</details>',
    '<img src=x>',
    '| a |',
    '@everyone',
    '\n# title',
    '-->',
  ),
);
const text = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
const lines = fc.array(text, { maxLength: 4 });
const names = fc.array(text, { minLength: 1, maxLength: 7 });

const diffs: fc.Arbitrary<ProjectDiff> = fc.record({
  before: text,
  after: text,
  same: fc.constant(false),
  origins: fc.array(
    fc.record({
      origin: text,
      change: fc.constantFrom('added', 'removed', 'changed', 'moved'),
      blocks: names,
      addedLines: lines,
      removedLines: lines,
      targets: names,
      file: text,
      line: fc.nat(),
    }),
    { maxLength: 4 },
  ),
  obligations: fc.record({
    added: fc.array(fc.record({ force: fc.constant('NEVER'), text, targets: names }), { maxLength: 3 }),
    dropped: fc.constant([]),
  }),
  tools: fc.record({ added: lines, dropped: lines, changed: fc.constant([]) }),
  params: fc.constant([]),
  blocks: fc.constant([]),
  labels: fc.constant([]),
  capabilities: fc.record({ added: lines, dropped: lines }),
  reach: fc.array(fc.record({ target: text, change: fc.constant('changed'), through: names }), {
    maxLength: 3,
  }),
}) as fc.Arbitrary<ProjectDiff>;

/** The text outside of fences and of code spans, as a reader of Markdown finds them. */
function outside(markdown: string): string {
  let fence: string | undefined;
  const kept: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark = /^(`{3,})(.*)$/u.exec(line);
    if (fence !== undefined) {
      if (mark !== null && mark[2] === '' && (mark[1] as string).length >= fence.length) fence = undefined;
      continue;
    }
    if (mark !== null && !mark[2]?.includes('`')) fence = mark[1];
    else kept.push(line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu, 'X'));
  }
  expect(fence).toBeUndefined();
  return kept.join('\n');
}

it('lets no words of others out of fences and code, whatever they are, and keeps to its room', () => {
  fc.assert(
    fc.property(diffs, (diff) => {
      const markdown = changeMarkdown(diff);
      const own = outside(markdown);
      expect(own).not.toMatch(/[<>@#~]|everyone|title/u);
      expect(changeMarkdown(diff, { room: 400 }).length).toBeLessThan(600);
    }),
    runs(200, 5000),
  );
});
