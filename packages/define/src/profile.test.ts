import { createHash } from 'node:crypto';
import { composeTarget, findProblems, findTargets, type Workbench } from '@cuebook/profile';
import { createRedactor, toMessages } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { define, MODEL, projectOf, prompt, tool } from '../test/project.js';
import { createDefineProfiles } from './profile.js';

function benchOf(files: Readonly<Record<string, string>>): Workbench {
  const { prompt: prompts, agent } = createDefineProfiles();
  return {
    profiles: [prompts, agent],
    project: projectOf(files),
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  };
}

const VARIABLE = "  variables: [{ name: 'SHOP', type: 'text', required: true, description: 'Which shop' }],";
const DESK = {
  ...MODEL,
  'tools/find.ts': tool(),
  'prompts/support.ts': prompt(
    'support',
    `  tools: ['find'],\n${VARIABLE}`,
    "[{ type: 'text', content: 'You serve ' }, { type: 'env', property: 'SHOP' }]",
  ),
  'agents/desk.ts': define('Agent', "  name: 'desk', sideA: { prompt: 'support' }, env: { SHOP: 'Acme' }"),
};

const composed = async (bench: Workbench, target: string, input?: unknown) => {
  const result = await composeTarget(bench, target, input);
  if (!result.ok)
    throw new Error(result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return result.value;
};

describe('the profiles', () => {
  it('find prompts and agents', async () => {
    expect(await findTargets(benchOf(DESK))).toEqual(['prompt:support', 'agent:desk']);
  });

  it('find names without running anything, where that is asked for', async () => {
    const { prompt: prompts, agent } = createDefineProfiles({ names: 'read' });
    const files = {
      ...DESK,
      'prompts/odd.ts': `await new Promise(() => {});\n${prompt('odd_one')}`,
      'prompts/computed.ts': prompt('x').replace("'x'", 'String(1)'),
    };
    expect(await prompts.find(projectOf(files))).toEqual(['computed', 'odd_one', 'support']);
    expect(await agent.find(projectOf(files))).toEqual(['desk']);
  });

  it('compose a prompt with what is handed in', async () => {
    const {
      prompt: made,
      tools,
      params,
    } = await composed(benchOf(DESK), 'prompt:support', { instanceEnv: { SHOP: 'Oslo' }, input: 'Where?' });
    expect(toMessages(made)).toEqual([
      { role: 'system', content: 'You serve Oslo' },
      { role: 'user', content: 'Where?' },
    ]);
    expect(tools).toMatchObject([{ name: 'find' }]);
    expect(params).toMatchObject({
      providerOptions: {
        cuebook: { environment: [{ name: 'SHOP', layer: 'instance', type: 'text', required: true }] },
      },
    });
  });

  it("compose an agent's first step in its own environment", async () => {
    const { prompt: made, params } = await composed(benchOf(DESK), 'agent:desk', { input: 'Where?' });
    expect(toMessages(made)[0]?.content).toBe('You serve Acme');
    expect(JSON.stringify(params)).toContain('"layer":"agent"');
  });

  it('compose without input, with stand-ins for what nobody supplies', async () => {
    const { prompt: made, diagnostics } = await composed(
      benchOf({
        ...DESK,
        'agents/desk.ts': DESK['agents/desk.ts'].replace("env: { SHOP: 'Acme' }", 'env: {}'),
      }),
      'prompt:support',
    );
    expect(made.text).toContain('(SHOP)');
    expect(diagnostics.map(({ code }) => code)).toEqual(['W_VARIABLE_OPEN']);
  });

  it('give each target its own problems, and those of the texts it includes', async () => {
    const bench = benchOf({
      ...MODEL,
      'prompts/good.ts': prompt('good'),
      'prompts/top.ts': prompt('top', '', "[{ type: 'include', prompt: 'middle' }]"),
      'prompts/middle.ts': prompt('middle', "  hooks: ['gone'],", "[{ type: 'include', prompt: 'nowhere' }]"),
    });
    const codes = async (target: string) => {
      const result = await composeTarget(bench, target);
      return (result.ok ? [] : result.diagnostics).map(({ code, file }) => `${code} ${file}`);
    };
    expect(await codes('prompt:good')).toEqual([]);
    expect(await codes('prompt:top')).toEqual(['E_INCLUDE_UNKNOWN agents/prompts/middle.ts']);
    expect((await codes('prompt:middle')).length).toBe(2);
    expect((await findProblems(bench)).length).toBe(2);
  });

  it.each([
    ['prompt:suport', 'Did you mean prompt:support?'],
    ['agent:help', 'Agents live in agents/agents/'],
    ['prompt:toString', 'No prompt is called'],
  ])('say what %s could be', async (target, says) => {
    const result = await composeTarget(benchOf(DESK), target);
    expect(result.ok ? '' : result.diagnostics[0]?.message).toContain(says);
  });

  it('tell of the file when a target did not load', async () => {
    const result = await composeTarget(
      benchOf({ 'prompts/bad.ts': 'throw new Error("boo");' }),
      'prompt:bad',
    );
    expect(result.ok ? [] : result.diagnostics).toMatchObject([
      { code: 'E_DEFINITION_LOAD', file: 'agents/prompts/bad.ts', line: 1 },
    ]);
  });

  it('reject a cycle in less than a second of CPU', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `prompts/p${n}.ts`,
        prompt(
          `p${n}`,
          '',
          `[{ type: 'include', prompt: 'p${(n + 1) % 200}' }, { type: 'include', prompt: 'p${(n * 7) % 200}' }]`,
        ),
      ]),
    );
    const bench = benchOf({ ...MODEL, ...files });
    await findTargets(bench);
    const before = process.cpuUsage();
    const result = await composeTarget(bench, 'prompt:p0');
    const { user, system } = process.cpuUsage(before);
    expect(result.ok).toBe(false);
    expect((user + system) / 1e6).toBeLessThan(1);
  });
});
