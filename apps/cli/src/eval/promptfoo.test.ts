import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonDocument, EvalDocument } from '@cuebook/eval';
import { describe, expect } from 'vitest';
import { itInTurn, sampled } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const config = (provider: string): string => `prompts: ["Greet {{name}}. Be warm."]
providers: [${provider}]
tests:
${Array.from(
  { length: 6 },
  (_, at) => `  - description: greets ${at}
    vars: { name: Ada ${at} }
    assert: [{ type: icontains, value: hello }, { type: not-contains, value: Arr }]
`,
).join('')}  - vars: { name: Bob }
`;
const ODDS = `lanes:
  '*':
    odds:
      seed: 3
      base: -9
      effects: [{ has: "Be warm.", adds: 18 }]
      answers: { good: "Hello there", bad: "Arr" }
`;

describe('cases of promptfoo', () => {
  itInTurn.each(
    sampled(
      [
        ['openai:chat:gpt-5', 'openai', undefined],
        ['bedrock:some-model', undefined, 'takes: 1'],
      ],
      1,
    ),
  )('of %s are scored and compared like any other', async (provider, kept, takes) => {
    const cwd = folderWith({
      'promptfooconfig.yaml': config(provider),
      'odds.yaml': ODDS,
      'cuebook.yaml': '',
    });
    const told = await cuebook(['import', 'promptfoo', '--trust', 'user', '--accept', 'W_IMPORT_CASE'], {
      cwd,
    });
    expect(told.code, told.stderr + told.stdout).toBe(0);
    const [, file = ''] = /(tests\/\S+\.test\.yaml)/u.exec(told.stdout) ?? [];
    const cases = readFileSync(join(cwd, file), 'utf8');
    if (kept !== undefined) expect(cases).toContain(`provider: ${kept}`);
    if (takes !== undefined) expect(cases).toContain(takes);
    const scored = await cuebook(['eval', file, '--script', 'odds.yaml', '--json'], { cwd });
    expect(scored.code, scored.stderr).toBe(0);
    // The case without an assert says nothing about answers: it is none of these.
    expect(JSON.parse(scored.stdout) as EvalDocument).toMatchObject({
      design: { cases: 6, takes: 1 },
      metrics: [{ name: 'pass', mean: 1, missing: 0 }],
    });
    const compared = await cuebook(
      ['compare', file, '--change', 'drop:obligation:"Be warm."', '--script', 'odds.yaml', '--json'],
      { cwd },
    );
    expect(JSON.parse(compared.stdout) as ComparisonDocument, compared.stderr).toMatchObject({
      verdict: 'worse',
    });
    if (kept === undefined) return;
    // Without a word of the call, whom the cases name is asked: the plan has its price.
    const plan = await cuebook(['eval', file, '--plan', '--json'], { cwd });
    expect((JSON.parse(plan.stdout) as { readonly plan: { readonly usd: number } }).plan.usd).toBeGreaterThan(
      0,
    );
    writeFileSync(join(cwd, file), cases.replace('model: gpt-5', 'model: gpt-4'));
    expect((await cuebook(['eval', file, '--plan'], { cwd })).stderr).toContain('different models');
  });
});
