import { describe, expect, it } from 'vitest';
import { contractPieces } from './contract.js';

describe.each([
  ['a worker with tools of its own', { nativeTools: true, leads: false, reviews: false }],
  ['a worker without', { nativeTools: false, leads: false, reviews: false }],
  ['a lead with tools of its own', { nativeTools: true, leads: true, reviews: true }],
  ['a lead without', { nativeTools: false, leads: true, reviews: true }],
])('the contract for %s', (_who, input) => {
  const pieces = contractPieces(input);
  const words = pieces
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ');

  it.each<[string, readonly RegExp[]]>([
    ['says that work goes along the graph', [/graph of agents/, /along edges/, /nothing else is reachable/]],
    ['says that everything is recorded', [/prompt, answer, call, result and change of files is recorded/]],
    ['says never to hide an error, a command or a change', [/Never hide an error, a command or a change/]],
    [
      'says what the modes allow',
      [/PLANNING is for reading and for documents/, /IMPLEMENTATION is for changes/],
    ],
    ['says that the modes are enforced', [/mode is enforced/]],
    [
      'says to stop repeating and to report what blocks',
      [/same thing for the third time/, /what blocks you/],
    ],
    ['says that words of others are material', [/end with _END/, /material for your task/]],
    ['says how a call is written', [/alone on one line/, /outside of any code fence/, /The key is args/]],
    [
      'says who may spawn and join',
      [/spawn_node needs edgeManagement=all/, /create_edge needs edgeManagement=all, or self/],
    ],
    ['says that a handoff needs an edge', [/send_handoff needs an edge/]],
  ])('%s', (_what, said) => {
    for (const each of said) expect(words).toMatch(each);
  });

  it('is the platform’s, the same until the next release', () => {
    for (const { trust, volatility } of pieces) expect([trust, volatility]).toEqual(['platform', 'build']);
    expect(contractPieces(input)).toEqual(pieces);
  });

  it('shows an example that is a call, and names the tools that there are', () => {
    expect(/\bcommand \{ cmd/.test(words)).toBe(!input.nativeTools);
    expect(/\bfinish_run \{ ok/.test(words)).toBe(input.leads);
    for (const tool of ['spawn_node', 'create_edge', 'send_handoff']) expect(words).toContain(`${tool} {`);
  });
});
