import { describe, expect, it } from 'vitest';
import { adopt, rendered } from '../../test/render.js';
import { openaiReader } from './openai.js';

const read = (value: unknown, how = {}) => adopt(openaiReader, 'prompts.json', JSON.stringify(value), how);
const FILE = {
  openai_prompt_id: 'pmpt_1',
  name: 'support',
  production_version: '3',
  versions: [
    { version: '2', messages: [{ role: 'user', content: 'old' }] },
    {
      version: '3',
      messages: [
        { role: 'developer', content: 'Be brief with {{customer}}.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Issue: ' },
            { type: 'input_text', text: '{{ issue }}' },
          ],
        },
      ],
      config: {
        model: 'gpt-5',
        reasoning: { effort: 'low' },
        tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }, { type: 'web_search' }],
        text: { format: { type: 'json_schema', name: 'out', schema: { type: 'object' }, strict: true } },
      },
    },
  ],
};

describe('the file of stored prompts', () => {
  it('gives the version of production with its settings', async () => {
    const adopted = read(FILE);
    expect(adopted.sheets).toMatchObject([
      {
        name: 'support',
        params: { model: 'gpt-5', reasoningEffort: 'low' },
        tools: [{ name: 'look', parameters: { type: 'object' } }],
        answer: { name: 'out', schema: { type: 'object' } },
        meta: { promptId: 'pmpt_1', source: { version: '3' }, hostedTools: [{ type: 'web_search' }] },
      },
    ]);
    expect(adopted.sheets[0]?.inputs.get('customer')?.required).toBe(true);
    expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code)).toEqual(
      ['W_IMPORT_TOOL'],
    );
    expect(adopted.diagnostics.map(({ code }) => code)).toContain('W_IMPORT_ROLE');
    expect(await rendered(adopted, { customer: '{{x}}', issue: 'down' })).toEqual([
      { role: 'system', content: 'Be brief with {{x}}.' },
      { role: 'user', content: 'Issue: down' },
    ]);
  });

  it('says when there is no text in it', () => {
    expect(read({ prompt: { id: 'pmpt_1' } }).diagnostics).toMatchObject([{ code: 'E_IMPORT_SYNTAX' }]);
    const image = {
      ...FILE,
      versions: [{ version: '3', messages: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    };
    expect(read(image).diagnostics).toMatchObject([{ code: 'W_IMPORT_MEDIA', severity: 'warning' }]);
  });
});

describe('a saved response', () => {
  const response = (variables: object, instructions: unknown) => ({
    object: 'response',
    id: 'resp_1',
    model: 'gpt-5',
    temperature: 1,
    prompt: { id: 'pmpt_2', version: '7', variables },
    instructions,
  });

  it('gives the template back from its markers', async () => {
    const instructions = [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'Help ⟦who⟧ and ⟦who⟧ with ⟦who else⟧.' }],
      },
    ];
    const adopted = read(
      response({ who: '⟦who⟧', 'who else': { type: 'input_text', text: '⟦who else⟧' } }, instructions),
    );
    expect(adopted.sheets[0]).toMatchObject({
      name: 'pmpt_2',
      params: { model: 'gpt-5', temperature: 1 },
      meta: { source: { version: '7' } },
    });
    expect(await rendered(adopted, { who: 'A', who_else: 'B' })).toEqual([
      { role: 'system', content: 'Help A and A with B.' },
    ]);
    expect(read(response({}, 'Just text')).sheets[0]?.blocks).toMatchObject([
      { role: 'system', parts: [{ text: 'Just text' }] },
    ]);
  });

  it('is refused where a value is not a marker', () => {
    const adopted = read(response({ who: 'Ada' }, 'Help Ada.'));
    expect(adopted.sheets).toEqual([]);
    expect(adopted.diagnostics).toMatchObject([{ code: 'W_IMPORT_MARKER', severity: 'warning', line: 1 }]);
  });
});
