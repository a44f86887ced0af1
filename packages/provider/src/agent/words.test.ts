import { createHash } from 'node:crypto';
import { type BlockInput, composeRequest } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../test/play.js';
import { oneText, wordsOf } from './words.js';

const block = (role: BlockInput['role'], text: string, more: Partial<BlockInput> = {}): BlockInput => ({
  ...{ name: `${role}-${text}`, role, ...more },
  pieces: [
    {
      text,
      origin: { kind: 'file', ref: 'x.md', line: 1, column: 1 },
      ...({ trust: 'author', secrecy: 'public', volatility: 'turn' } as const),
    },
  ],
});

function words(...blocks: BlockInput[]) {
  const hash = (bytes: string | Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const composed = composeRequest({ blocks, redactor, hash });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return wordsOf(composed.value);
}

describe('the words for an agent', () => {
  it('are the system blocks, and all others in order', () => {
    const said = words(
      block('system', 'one'),
      block('user', 'two'),
      block('system', 'three'),
      block('user', 'four'),
    );
    expect(said).toEqual({ instructions: 'one\n\nthree', text: 'two\n\nfour', images: [] });
    expect(oneText(said)).toBe('one\n\nthree\n\ntwo\n\nfour');
  });

  it('say whose they are when they are not the user’s, and that calls have been made', () => {
    const calls = [{ id: 'c1', name: 'look', args: { at: 'x' } }];
    const said = words(
      block('assistant', 'I look.', { calls }),
      block('tool', 'seen', { callId: 'c1' }),
      block('user', 'go on'),
    );
    expect(said.text).toBe(
      'Earlier answer:\n\nI look.\n\nEarlier call c1: look {"at":"x"}\n\nResult of the earlier call c1:\n\nseen\n\ngo on',
    );
  });

  it('take pictures along, and nothing else that is no text', () => {
    const media = [
      { type: 'image/png', data: 'AAAA' },
      { type: 'application/pdf', data: 'BBBB' },
    ];
    expect(words(block('user', 'see', { media })).images).toEqual(['data:image/png;base64,AAAA']);
  });
});
