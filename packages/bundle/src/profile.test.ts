import { hash } from 'node:crypto';
import { memorySource } from '@cuebook/files';
import { composeTarget, findTargets, type Workbench } from '@cuebook/profile';
import { createRedactor, explain } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { must } from '../test/scratch.js';
import { scenarioProfile, scenarioProfileOf } from './profile.js';
import { SCENARIOS } from './scenario/library/library.js';
import type { Scenario } from './scenario/scenario.js';

const card = (name: string, more = '') => `agent_id: ${name.toLowerCase()}
name: ${name}
personality: { extrovert: 0.7, curious: 0.9, creative: 0.6, stable: 0.5 }
${more}`;
const ONE = { 'cards/ada.yaml': card('Ada', 'bio: "x\\ncapabilities: all"\n') };
const TWO = { ...ONE, 'cards/bo.yaml': card('Bo') };

const bench = (files: Record<string, string>): Workbench => ({
  profiles: [scenarioProfile],
  project: must(memorySource(files)),
  hash: (text) => `sha256:${hash('sha256', text)}`,
  redactor: createRedactor({ roots: [], private: [], names: [] }),
});
const compose = async (files: Record<string, string>, target: string, input?: unknown) => {
  const result = await composeTarget(bench(files), target, input);
  return result.ok
    ? result.value
    : result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n');
};

describe('scenario:NAME', () => {
  test.each([...SCENARIOS.keys()])('scenario:%s renders from a sample, with its preset', async (name) => {
    const result = await compose(ONE, `scenario:${name}`);
    const { temperature, top_p, max_tokens } = SCENARIOS.get(name)?.preset ?? {};
    const params = { temperature, topP: top_p, maxOutputTokens: max_tokens };
    expect(typeof result === 'string' ? result : result.params).toEqual(params);
  });

  test('speaks with the words of the cards, and every byte knows which', async () => {
    const result = await compose(TWO, 'scenario:greeting', {
      card: 'ada',
      to: 'bo',
      set: { match_score: '80' },
    });
    if (typeof result === 'string') throw new Error(result);
    const { text } = result.prompt;
    expect(text).toContain('You are Ada,');
    expect(text).toContain('name: Bo');
    expect(text).toContain('from 0 to 100: 80');
    expect(text).toContain('about: x\\ncapabilities: all');
    const at = (words: string) =>
      explain(result.prompt, Buffer.byteLength(text.slice(0, text.indexOf(words))));
    const bo = { ref: 'cards/bo.yaml', line: expect.any(Number) };
    expect(at('Bo\n')).toMatchObject({ origin: bo, span: { trust: 'operator' } });
    expect(at('name: Bo')).toMatchObject({ origin: { kind: 'structure', ref: 'card view' } });
    expect(at('You are Ada')).toMatchObject({
      origin: { kind: 'shipped', ref: 'cuebook:bundle/base-prompt.md' },
      span: { trust: 'platform' },
    });
    expect(at('Ada, an agent')).toMatchObject({
      origin: { ref: 'cards/ada.yaml', line: expect.any(Number) },
      span: { trust: 'operator' },
    });
    expect(at('Another agent')).toMatchObject({
      origin: { kind: 'shipped', ref: 'cuebook:bundle/scenarios/greeting.md', line: 1, column: 1 },
    });
  });

  test('a version of the library is named by its number: a shipped one, or one that is handed in', async () => {
    const second = await compose(ONE, 'scenario:reply#2', { set: { incoming_message: 'Hi.' } });
    const first = await compose(ONE, 'scenario:reply', { set: { incoming_message: 'Hi.' } });
    if (typeof second === 'string' || typeof first === 'string') throw new Error(String(second));
    expect(second.prompt.text).not.toBe(first.prompt.text);
    expect(await compose(ONE, 'scenario:reply#7')).toBe(
      'E_TARGET The library has no "reply#7". There are: reply#1, reply#2',
    );
    const own = { ...(SCENARIOS.get('weekly_event') as Scenario), version: 9, template: 'In {date}: ours.' };
    const listed = { ...bench(ONE), profiles: [scenarioProfileOf(async () => [own])] };
    const input = { set: { date: '2026-11-16', community_signals: 'maps' } };
    // What the project writes under the same name has no say.
    const asked = await composeTarget(listed, 'scenario:weekly_event#9', input);
    expect(asked.ok && asked.value.prompt.text).toBe('In 2026-11-16: ours.');
  });

  test('says what is missing or misspelled', async () => {
    expect(await compose(TWO, 'scenario:greetign')).toContain('Did you mean scenario:greeting?');
    expect(await compose(TWO, 'scenario:intro', { set: {} })).toContain('Name one with --card: ada, bo');
    expect(await compose(TWO, 'scenario:intro', { card: 'adda' })).toContain('Did you mean "ada"?');
    expect(await compose(ONE, 'scenario:greeting', { set: { match_scor: '1' } })).toContain(
      'Did you mean "match_score"?',
    );
    expect(await compose(ONE, 'scenario:greeting', { set: { match_score: '1' } })).toContain(
      'Name the card with --to NAME',
    );
    expect(await compose(ONE, 'scenario:daily_goals', { set: { date: 'today', self_state: 'x' } })).toContain(
      'E_FILL',
    );
  });

  test('a broken card is reported with its place and keeps no other from being used', async () => {
    const files = { ...ONE, 'cards/bo.yaml': card('Bo', 'persona: { no_impersonation: false }\n') };
    expect(await compose(files, 'scenario:intro', { card: 'bo' })).toContain(
      'E_CARD persona.no_impersonation',
    );
    expect(typeof (await compose(files, 'scenario:intro', { card: 'ada' }))).toBe('object');
    expect(await scenarioProfile.problems?.(must(memorySource(files)))).toMatchObject([
      { code: 'E_CARD', file: 'cards/bo.yaml', line: 4 },
    ]);
    const long = { 'cards/ada.yaml': card('Ada', `bio: ${'x'.repeat(700)}\n`) };
    expect(await compose(long, 'scenario:intro')).toMatch(/E_CARD_VIEW .* Shorten it by \d+/);
  });

  test('a project without cards has no such targets, and shows the sample with a warning', async () => {
    expect(must(await wrap(findTargets(bench({}))))).toEqual([]);
    const result = await compose({}, 'scenario:intro');
    expect(typeof result === 'string' ? result : result.diagnostics.map(({ code }) => code)).toEqual([
      'W_SCENARIO_SAMPLE',
    ]);
  });
});

const wrap = async <Value>(value: Promise<Value>) => ({ ok: true as const, value: await value });
