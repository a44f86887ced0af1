import type { LiveTurn } from '../../stream/live-turn.js';

/** The texts of one turn as deltas: each item of the agent is a block of its own. */
export interface TextLog {
  delta(kind: 'text' | 'reasoning', key: string, text: string): void;
  /** The whole text of a block: what the deltas left out follows. */
  whole(kind: 'text' | 'reasoning', key: string, text: string): void;
}

export function createTextLog(emit: LiveTurn['emit']): TextLog {
  const blocks = new Map<string, { readonly number: number; said: string }>();
  const say = (kind: 'text' | 'reasoning', key: string, text: string): void => {
    if (text === '') return;
    const name = `${kind}:${key}`;
    const block = blocks.get(name) ?? { number: blocks.size, said: '' };
    blocks.set(name, block);
    block.said += text;
    emit({ type: kind === 'text' ? 'text.delta' : 'reasoning.delta', block: block.number, text });
  };
  return {
    delta: say,
    whole(kind, key, text) {
      const said = blocks.get(`${kind}:${key}`)?.said ?? '';
      // Deltas that are no beginning of the text were another wording of it; both are not said.
      if (text.startsWith(said)) say(kind, key, text.slice(said.length));
    },
  };
}
