import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import type { BlockInput } from './block.js';
import { toMessages } from './project.js';
import type { JsonValue } from './redact/leak-context.js';
import { createRedactor } from './redact/redactor.js';
import { composeRequest } from './request.js';

const redactor = createRedactor({
  roots: [['@project', '/srv/app']],
  private: ['/home/mira'],
  names: ['mira-laptop'],
  credentials: ['tok_q83nfh2kd93jf0'],
});
const hash = (text: string): string => `sha256:${text.length}`;
const PRIVATE = ['/srv/app/src/a.ts', '/home/mira/notes.md', 'mira-laptop', 'tok_q83nfh2kd93jf0'];

const block = (extra: Partial<BlockInput> = {}): BlockInput => ({
  name: 'turn',
  role: 'assistant',
  pieces: [],
  ...extra,
});

describe('composeRequest', () => {
  it('cleans calls, call ids, tools and parameters wherever something private stands in them', () => {
    const planted = fc.constantFrom(...PRIVATE);
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        planted,
        fc.string(),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(planted, fc.string()), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, value, planted, (args, schema, secret) => {
        const request = composeRequest({
          blocks: [block({ calls: [{ id: secret, name: 'read', args }], callId: secret })],
          tools: [{ name: 'read', description: `See ${secret}`, parameters: { schema } }],
          params: { user: secret },
          hash,
          redactor,
        });
        if (!request.ok) throw new Error('refused');
        const { prompt, tools, params, removed } = request.value;
        const said = JSON.stringify({ prompt, tools, params });
        expect(PRIVATE.filter((text) => said.includes(text))).toEqual([]);
        expect(removed.length).toBeGreaterThan(0);
      }),
      runs(500, 20_000),
    );
  });

  it('refuses what the redactor leaves standing in tools and parameters, and says only what kind', () => {
    const blind = { ...redactor, redactValue: (value: JsonValue) => ({ value, kinds: [] }) };
    const request = composeRequest({ blocks: [], params: { folder: '/home/mira/x' }, hash, redactor: blind });
    if (request.ok) throw new Error('sent');
    expect(request.error).toMatchObject([{ code: 'E_PROMPT_LEAK', kind: 'path' }]);
    expect(JSON.stringify(request.error)).not.toContain('mira');
  });

  it('keeps calls, their answers and media beside the text of their messages', () => {
    const media = [{ type: 'image/png', data: 'iVBORw0KGgo=' }];
    const request = composeRequest({
      blocks: [
        block({ name: 'call', calls: [{ id: 'c1', name: 'look', args: { at: 1 } }] }),
        block({ name: 'answer', role: 'tool', callId: 'c1', media }),
        block({ name: 'nothing', role: 'user' }),
      ],
      hash,
      redactor,
    });
    if (!request.ok) throw new Error('refused');
    expect(toMessages(request.value.prompt)).toEqual([
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', args: { at: 1 } }] },
      { role: 'tool', content: '', toolCallId: 'c1', parts: media },
    ]);
  });
});
