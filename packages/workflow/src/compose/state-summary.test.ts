import { createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { mustLoad, state, stateText } from '../../test/fixture.js';
import { readState } from '../state/document.js';
import type { WorkflowState } from '../state/schema.js';
import { nodeBriefPieces, parseNodeBrief } from './node-brief.js';
import { SUMMARY_BUDGET, stateSummary } from './state-summary.js';

const printed = (variables: WorkflowState['variables'], budget?: number): string =>
  stateSummary({
    state: { ...state(), variables },
    currentNodeId: 'n',
    ...(budget === undefined ? {} : { budget }),
  })
    .map(({ text }) => text)
    .join('');

interface Read {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly variablesOmitted?: number;
}

describe('the summary of a state', () => {
  it('is whole when it fits', () => {
    const variables = { a: 'x'.repeat(1000), list: Array.from({ length: 50 }, (_, at) => at) };
    expect((JSON.parse(printed(variables)) as Read).variables).toEqual(variables);
  });

  it('a large state is cut to the budget and stays valid JSON', () => {
    const variables = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `v${at}`,
        at % 2 === 0 ? 'é'.repeat(300) : { deep: { deeper: { deepest: { x: [1] } } } },
      ]),
    );
    const text = printed(variables);
    expect(text.length).toBeLessThanOrEqual(SUMMARY_BUDGET);
    const read = JSON.parse(text) as Read;
    expect(read.variables.v0).toBe(`${'é'.repeat(200)}… (300 characters)`);
    expect(read.variables.v1).toEqual({ deep: { deeper: { deepest: '(more below)' } } });
    expect(Object.keys(read.variables).length + (read.variablesOmitted ?? 0)).toBe(500);
    expect(printed(variables)).toBe(text);
  });

  it('any state at any budget: valid JSON, never longer than it may be, no key lost without a word', () => {
    const key = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' });
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue(), { maxKeys: 30 }),
        fc.integer({ min: 200, max: 3000 }),
        (variables, budget) => {
          const text = printed(variables as WorkflowState['variables'], budget);
          const read = JSON.parse(text) as Read;
          expect(text.length).toBeLessThanOrEqual(budget);
          expect(Object.keys(read.variables).length + (read.variablesOmitted ?? 0)).toBe(
            Object.keys(variables).length,
          );
        },
      ),
      runs(200, 5000),
    );
  });
});

it('a frontmatter of any size is refused by its length', () => {
  const read = readState(stateText({ variables: { a: 'x'.repeat(300_000) } }));
  expect(read).toMatchObject({
    ok: false,
    error: { why: 'The frontmatter has more than 262144 characters' },
  });
});

it('a brief reads back as what it was printed from, whatever labels and conditions hold', async () => {
  const { workflow } = await mustLoad();
  const at = workflow.nodes.get('decide-02-project-type');
  if (at === undefined) throw new Error('no node');
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('a, default=true', '"', '(x)', 'a)\n- b: c', '\u2028'),
  );
  const path = fc
    .array(fc.constantFrom('a', 'b.md', ' -> @project', 'x y'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  const way = fc.record({
    label: text,
    isDefault: fc.boolean(),
    conditionText: fc.option(text, { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(way, { maxLength: 4 }), fc.array(path, { maxLength: 3 }), (ways, outputs) => {
      const node = {
        ...at,
        node: { ...at.node, outputs },
        next: ways.map((each, index) => ({ index, edge: { from: 'x', to: `to-${index}`, ...each } })),
      };
      const brief = parseNodeBrief(
        nodeBriefPieces(workflow, node)
          .map((piece) => piece.text)
          .join(''),
      );
      expect(brief).toEqual({
        currentNodeId: 'decide-02-project-type',
        type: 'decision',
        stepFile: '@pkg/workflows/hb/steps/decide-02.md',
        outputs,
        allowedNext: ways.map(({ label, isDefault, conditionText }, index) => ({
          to: `to-${index}`,
          label,
          ...(isDefault ? { isDefault: true } : {}),
          ...(conditionText === undefined ? {} : { conditionText }),
        })),
      });
    }),
    runs(300, 10_000),
  );
});

describe('what was taken out of a state', () => {
  it('is told by its span, as everywhere', () => {
    const redactor = createRedactor({ roots: [], private: [], names: [] });
    const given = { ...state(), variables: { where: '/Users/zebulon/x', plain: 'a' } };
    const pieces = stateSummary({ state: given, redactor });
    expect(pieces.filter(({ origin }) => origin.kind === 'redaction')).toMatchObject([
      { text: '[removed:path]', origin: { ref: 'path' } },
    ]);
    expect(() => JSON.parse(pieces.map(({ text }) => text).join(''))).not.toThrow();
  });
});
