import { describe, expect, it } from 'vitest';
import { agentTree } from './agent-tree.js';
import type { RunSpeaker } from './story.js';

const agent = (id: string, parent: string | null): RunSpeaker => ({
  ...{ id, name: id, about: '', parent, status: 'idle', turns: 0, tokens: 0, usd: 0, last: '' },
});

describe('agentTree', () => {
  const agents = [agent('c', 'b'), agent('a', null), agent('b', 'a'), agent('d', 'gone'), agent('e', 'a')];

  it('puts agents under those that made them, and strangers at the top', () => {
    expect(agentTree(agents).map(({ agent: { id }, depth, children }) => [id, depth, children])).toEqual([
      ['a', 0, 2],
      ['b', 1, 1],
      ['c', 2, 0],
      ['e', 1, 0],
      ['d', 0, 0],
    ]);
  });

  it('leaves out what is below a closed one', () => {
    expect(agentTree(agents, new Set(['b'])).map(({ agent: { id } }) => id)).toEqual(['a', 'b', 'e', 'd']);
  });
});
