import type { Conversation } from '@cuebook/engine';
import { type BlockInput, escapedPieces, type Piece } from '@cuebook/prompt';
import { isStranger } from '../webhook/webhook.js';

/**
 * What was said in a conversation, as blocks behind those of a kind. Words of people, models and tools have the trust of
 * who said them, and none of them can be read as structure.
 */
export const talkBlocks = ({ history }: Pick<Conversation, 'history'>): readonly BlockInput[] =>
  history.map(messageBlock);

function messageBlock(message: Conversation['history'][number], index: number): BlockInput {
  const name = `message ${index + 1}`;
  switch (message.role) {
    case 'user': {
      const isOurs = message.by === 'cuebook';
      const piece = isOurs
        ? said(message.text, 'platform', 'run note')
        : said(message.text, isStranger(message.by) ? 'external' : 'user', `word ${index + 1}`);
      return { name, role: 'user', pieces: isOurs ? [piece] : escapedPieces([piece]) };
    }
    case 'assistant': {
      const calls = message.calls.map(({ id, name: tool, input }) => ({ id, name: tool, args: input }));
      const pieces = escapedPieces([said(message.text, 'agent', `turn ${message.turn}`)]);
      return { name, role: 'assistant', pieces, ...(calls.length === 0 ? {} : { calls }) };
    }
    case 'tool': {
      const pieces = escapedPieces([said(message.text, 'tool', `result of ${message.call}`)]);
      return { name, role: 'tool', callId: message.call, pieces };
    }
  }
}

const KINDS = {
  platform: 'shipped',
  user: 'input',
  external: 'input',
  agent: 'input',
  tool: 'result',
} as const;

const said = (text: string, trust: keyof typeof KINDS, ref: string): Piece => ({
  text,
  origin: { kind: KINDS[trust], ref },
  trust,
  secrecy: 'public',
  volatility: 'session',
});
