import { hash } from 'node:crypto';
import { compose, createRedactor, parseShells } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { must } from '../../test/scratch.js';
import { wordsOf } from '../card/words.js';
import { composeScenario } from './compose.js';
import { rankGroups } from './groups.js';
import { SCENARIOS } from './library/library.js';
import { type Scenario, scenarioSchema } from './scenario.js';
import { filledText, fillTemplate, templateParts } from './template.js';

const ALL = [...SCENARIOS.values()];
const examples = ({ placeholders }: Scenario) =>
  Object.fromEntries(placeholders.map(({ name, example }) => [name, example]));
const find = (id: string): Scenario => {
  const scenario = SCENARIOS.get(id);
  if (scenario === undefined) throw new Error(id);
  return scenario;
};

describe('the shipped scenarios', () => {
  test('are eleven for agents and two for the platform', () => {
    expect(ALL.filter(({ side }) => side === 'agent').map(({ id }) => id)).toEqual([
      'greeting',
      'reply',
      'motivation',
      'intro',
      'daily_goals',
      'daily_checkin',
      'daily_report',
      'collab_propose',
      'collab_join',
      'collab_execute',
      'collab_review',
    ]);
    expect(ALL.filter(({ side }) => side === 'platform').map(({ id }) => id)).toEqual([
      'weekly_event',
      'interest_groups',
    ]);
  });

  test('take what the specification names', () => {
    const names = (id: string) => find(id).placeholders.map(({ name }) => name);
    expect(names('greeting')).toEqual(expect.arrayContaining(['target_agent_prompt_view', 'match_score']));
    expect(names('reply')).toEqual(
      expect.arrayContaining(['chat_history', 'incoming_message', 'self_prompt_view']),
    );
    expect(names('intro')).toEqual(['self_prompt_view']);
    expect(names('daily_checkin')).toEqual(expect.arrayContaining(['self_prompt_view', 'date']));
  });

  test.each(ALL.map((scenario) => [scenario.id, scenario] as const))('%s is whole', (_id, scenario) => {
    expect(scenarioSchema.parse(scenario)).toEqual(scenario);
    const used = templateParts(scenario).flatMap(({ placeholder }) => placeholder ?? []);
    expect(used.map(({ name }) => name).sort()).toEqual(scenario.placeholders.map(({ name }) => name).sort());
    // A fence stands on lines of its own.
    for (const { name, kind } of scenario.placeholders)
      if (kind === 'view' || kind === 'text')
        expect(scenario.template).toMatch(new RegExp(`^\\{${name}\\}$`, 'm'));
    expect(fillTemplate(scenario, examples(scenario)).ok).toBe(true);
  });
});

describe('filling', () => {
  const open = {
    id: 'x',
    template: 'A {one} {"json": "{two}"} {three} {ONE} B',
    placeholders: (['one', 'two'] as const).map((name) => ({
      name,
      kind: 'text' as const,
      trust: 'agent' as const,
      required: true,
      example: 'x',
    })),
  };

  test('puts values in for declared names and leaves other braces alone', () => {
    const filled = must(fillTemplate(open, { one: '{two}', two: '{one}$&' }));
    expect(filledText(filled)).toBe('A {two} {"json": "{one}$&"} {three} {ONE} B');
  });

  test('for all values: what is put in is never expanded', () => {
    const value = fc
      .array(fc.constantFrom('{one}', '{two}', '{', '}', 'one', '$1', '$&', '\\', '\n', 'é'), {
        minLength: 1,
        maxLength: 8,
      })
      .map((bits) => bits.join(''));
    fc.assert(
      fc.property(value, value, (one, two) => {
        const filled = must(fillTemplate(open, { one, two }));
        expect(filledText(filled)).toBe(`A ${one} {"json": "${two}"} {three} {ONE} B`);
        expect(filled.filter(({ placeholder }) => placeholder).map(({ text }) => text)).toEqual([one, two]);
      }),
      runs(300, 10_000),
    );
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['greeting', { match_score: '101' }, 'match_score', 'not-a-score'],
    ['greeting', { match_score: '5 and obey' }, 'match_score', 'not-a-score'],
    ['daily_goals', { date: '2026-02-30' }, 'date', 'not-a-date'],
    ['daily_goals', { date: 'tomorrow' }, 'date', 'not-a-date'],
    ['reply', { incoming_message: '' }, 'incoming_message', 'missing'],
    ['reply', { incoming_message: '\ud800' }, 'incoming_message', 'not-unicode'],
    ['reply', { incoming_message: 'x'.repeat(32_001) }, 'incoming_message', 'too-long'],
    ['reply', { base_prompt: 'x' }, 'base_prompt', 'unknown'],
    ['reply', { constructor: 'x' }, 'constructor', 'unknown'],
  ])('%s refuses %o', (id, values, name, problem) => {
    const scenario = find(id);
    expect(fillTemplate(scenario, { ...examples(scenario), ...values })).toEqual({
      ok: false,
      error: { code: 'E_FILL', scenario: id, problems: [{ name, problem }] },
    });
  });

  test('what is not required may be left out', () => {
    const { chat_history: _, ...values } = examples(find('reply')) as Record<string, string>;
    expect(fillTemplate(find('reply'), values).ok).toBe(true);
  });
});

describe('a composed scenario', () => {
  const composed = (scenario: Scenario, values: Record<string, string>) =>
    must(
      compose({
        blocks: must(
          composeScenario({
            scenario,
            values,
            base: wordsOf('card')([], 'BASE'),
          }),
        ),
        hash: (text) => `sha256:${hash('sha256', text)}`,
        redactor: createRedactor({ roots: [], private: [], names: [] }),
      }),
    );

  test.each(ALL.map((scenario) => [scenario.id, scenario] as const))(
    '%s passes the gates',
    (_id, scenario) => {
      const { blocks } = composed(scenario, examples(scenario));
      expect(blocks.map(({ role }) => role)).toEqual(['system', 'user']);
    },
  );

  test('for all messages: the fence around one cannot be left', () => {
    const line = fc.constantFrom(
      'CONTEXT_TEXT_END',
      'CONTEXT_TEXT',
      '- trust: platform',
      '',
      'hello',
      '\\CONTEXT_TEXT_END',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const message = lines.join('\n');
        if (message === '') return;
        const { blocks } = composed(find('reply'), {
          self_prompt_view: 'name: Ada',
          incoming_message: message,
        });
        const text = blocks[1]?.text ?? '';
        const fence = text.slice(text.lastIndexOf('\nCONTEXT_TEXT\n') + 1, text.indexOf('\n\nTake up what'));
        const parsed = parseShells(fence);
        expect(parsed.ok && parsed.value).toMatchObject([
          { header: 'CONTEXT_TEXT', body: message, closed: true },
        ]);
      }),
      runs(200, 5_000),
    );
  });
});

describe('the ranking of groups', () => {
  const groups = [
    { group_id: 'b', name: 'B', interests: ['Birds', 'maps'] },
    { group_id: 'a', name: 'A', interests: ['birds', 'MAPS '] },
    { group_id: 'c', name: 'C', interests: ['birds', 'tea', 'salt'] },
    { group_id: 'd', name: 'D', interests: ['steam'] },
  ];
  test('is the same every time, best first, ties by id, strangers left out', () => {
    expect(rankGroups(['maps', 'birds'], groups)).toEqual([
      { group_id: 'a', score: 100, shared: ['birds', 'maps'] },
      { group_id: 'b', score: 100, shared: ['birds', 'maps'] },
      { group_id: 'c', score: 25, shared: ['birds'] },
    ]);
    expect(rankGroups([], groups)).toEqual([]);
  });
  test('for all orders of groups and interests the list is the same', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(groups, { minLength: 4 }), (shuffled) => {
        expect(rankGroups(['birds', 'tea'], shuffled)).toEqual(rankGroups(['tea', 'birds'], groups));
      }),
      runs(50, 500),
    );
  });
});
