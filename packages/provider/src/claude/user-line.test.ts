import { createHash } from 'node:crypto';
import { type Attachments, composeRequest, type GatedRequest, type Role } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../test/play.js';
import { jsonLine, systemText, userLine } from './user-line.js';

function requestOf(
  blocks: readonly ({ readonly role: Role; readonly text: string } & Attachments)[],
): GatedRequest {
  const composed = composeRequest({
    blocks: blocks.map(({ role, text, ...beside }, index) => ({
      ...{ name: `b${index}`, role, ...beside },
      pieces: [
        {
          text,
          origin: { kind: 'file', ref: 'x.md', line: 1, column: 1 },
          ...{ trust: 'author', secrecy: 'public', volatility: 'turn' },
        } as const,
      ],
    })),
    redactor,
    hash: (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}

const contentOf = (request: GatedRequest) => JSON.parse(userLine(request, 'u')).message.content;

describe('the line that begins a turn', () => {
  it('says all blocks but the system’s, in order, then images', () => {
    const request = requestOf([
      { role: 'system', text: 'Rules.' },
      { role: 'user', text: 'One.' },
      { role: 'user', text: 'Two.', media: [{ type: 'image/png', data: 'aGk=' }] },
    ]);
    expect(systemText(request)).toBe('Rules.');
    expect(contentOf(request)).toEqual([
      { type: 'text', text: 'One.\n\nTwo.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ]);
  });

  it('says the system’s words where there are no others', () => {
    expect(contentOf(requestOf([{ role: 'system', text: 'Rules.' }]))).toEqual([
      { type: 'text', text: 'Rules.' },
    ]);
  });

  it('is one line for every reader of lines', () => {
    const line = jsonLine({ text: 'a\nb\u2028c\u2029d' });
    expect(line.split(/[\n\r\u2028\u2029]/)).toHaveLength(2);
    expect(JSON.parse(line)).toEqual({ text: 'a\nb\u2028c\u2029d' });
  });
});
