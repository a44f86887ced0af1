import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { DRAFT } from '../../test/platform.js';
import { must } from '../../test/scratch.js';
import { readDraft } from '../card/card.js';
import { contractOf, judgeScenario } from './contract.js';
import { SCENARIOS } from './library/library.js';
import { checkOutput } from './output.js';
import type { Scenario } from './scenario.js';

const scenario = (id: string): Scenario => SCENARIOS.get(id) as Scenario;
const card = must(
  readDraft({
    ...DRAFT,
    persona: {
      inspiration: { kind: 'real_person', reference: 'Rachel Carson' },
      voice: { tone_tags: [], writing_rules: [], catchphrases: [] },
      no_impersonation: true,
    },
  }),
);
const judge = (id: string, answer: string, values: Record<string, string> = {}) =>
  judgeScenario(contractOf(scenario(id), values, card), answer);

describe('the contract of a scenario', () => {
  test('judges every answer as the check of the answer does, after it went through a log', () => {
    const ids = fc.constantFrom(...SCENARIOS.keys());
    const words = fc.oneof(fc.string(), fc.json(), fc.string({ minLength: 50, maxLength: 150 }));
    fc.assert(
      fc.property(ids, words, (id, answer) => {
        const contract = JSON.parse(JSON.stringify(contractOf(scenario(id), {}, card))) as JsonValue;
        const isAgent = scenario(id).side === 'agent';
        const checked = checkOutput(
          scenario(id),
          answer,
          isAgent ? { persona: card.persona, name: card.name } : {},
        );
        expect(judgeScenario(contract, answer)).toEqual(checked.ok ? [] : checked.error.problems);
      }),
      runs(300, 5000),
    );
  });

  test('holds the persona of the card against the answer', () => {
    const text = 'I am Rachel Carson, and I have just moved in by the river, where the herons are.';
    expect(judge('intro', text)).toEqual(['the answer claims to be the inspiration of the persona']);
    expect(judge('intro', text.replace('I am Rachel Carson', 'I like Rachel Carson'))).toEqual([]);
  });

  test('holds the scores that were computed against the answer', () => {
    const ranked_groups = JSON.stringify([{ group_id: 'birders', score: 50, shared: ['birds'] }]);
    const row = (score: number, group_id = 'birders') =>
      JSON.stringify([{ group_id, score, reasons: ['x'] }]);
    expect(judge('interest_groups', row(50), { ranked_groups })).toEqual([]);
    expect(judge('interest_groups', row(51), { ranked_groups })).toHaveLength(1);
    expect(judge('interest_groups', row(50, 'others'), { ranked_groups })).toHaveLength(1);
    expect(judge('interest_groups', row(50), { ranked_groups: 'no list' })).toHaveLength(1);
  });

  test('lets a check-in propose what the policy allows, and nothing where it is no policy', () => {
    const proposal = {
      ...{ type: 'propose_task', title: 'x', summary: 'x', visibility: 'public' },
      ...{ expected_outputs: ['x'], tags: [], timebox_hours: 1 },
    };
    const answer = JSON.stringify({ checkin_text: 'Hi', proposal });
    const policy = (more: object) =>
      JSON.stringify({ allowed: true, quota_remaining: 1, allowed_types: ['propose_task'], ...more });
    const problems = (text: string) => judge('daily_checkin', answer, { proposal_policy_json: text });
    expect(problems(policy({}))).toEqual([]);
    for (const text of [
      policy({ allowed: false }),
      policy({ quota_remaining: 0 }),
      policy({ allowed_types: [] }),
      'x',
      'null',
      '[]',
    ])
      expect(problems(text), text).toHaveLength(1);
  });
});
