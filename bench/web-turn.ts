import type { TurnView } from '@cuebook/api';

/** What a turn of so many bytes and spans looks like on the wire. */
export function turnOf(bytes: number, spans: number): TurnView {
  const each = Math.floor(bytes / spans);
  const word = (at: number) => `${`word ${at} `.padEnd(each - 1, 'x')}${at % 8 === 7 ? '\n' : ' '}`;
  const text = Array.from({ length: spans }, (_, at) => word(at)).join('');
  const size = word(0).length;
  const request = {
    ...{ text, hash: 'sha256:x', masked: false, removed: [], tools: [], params: {} },
    blocks: [
      {
        ...{ name: 'system', role: 'system', text, hash: 'sha256:x' },
        spans: Array.from({ length: spans }, (_, at) => ({
          ...{
            start: at * size,
            end: (at + 1) * size,
            trust: 'author',
            secrecy: 'public',
            volatility: 'build',
          },
          origin: { kind: 'file', ref: `texts/part-${at % 50}.md`, line: at + 1, column: 1 },
        })),
      },
    ],
  };
  return {
    ...{ turn: 't', lane: 'main', at: 0, provider: 'rehearsal', model: null, full: request, delta: null },
    receipt: { seq: 1, key: 'k', signature: 's', hash: 'h' },
    ...{ usage: null, sends: [], end: null, forgotten: [] },
  };
}
