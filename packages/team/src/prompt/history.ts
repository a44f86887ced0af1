import { type BlockInput, escapedPieces, type Piece, shellPieces, type ToolCall } from '@cuebook/prompt';
import type { TeamNode } from '../graph/node.js';
import { handoffShell, messageShell } from './incoming.js';
import type { Memory, PastCall, PastTurn } from './past.js';
import { resultShell, type TurnResult } from './result.js';
import { quoted, stated, told } from './say.js';
import { joinPieces, turnShell } from './task.js';

/** How earlier turns are told. */
export interface NodeHistoryOptions {
  readonly nodes: readonly TeamNode[];
  /** The provider takes calls and their results as such: an answer without its results would be refused. */
  readonly structured: boolean;
}

/** The earlier turns of a node as a conversation, and what of the results of its last turn is told there already. */
export interface History {
  readonly blocks: readonly BlockInput[];
  readonly told: ReadonlySet<string>;
}

/**
 * The conversation so far, between the system layers and the task: what the node was told, what it said and asked for,
 * what came of it. It only grows at its end, so that the beginning of the prompt stays the same.
 */
export function historyOf(
  { turns, forgotten }: Memory,
  results: readonly TurnResult[],
  options: NodeHistoryOptions,
): History {
  const blocks: BlockInput[] = [];
  if (forgotten > 0) blocks.push(user('earlier', [told('history.forgotten', 'session')]));
  let open: readonly PastCall[] = [];
  for (const past of turns) {
    blocks.push(...resultBlocks(open, past.taken.results), ...turnBlocks(past, open, options));
    open = options.structured ? past.calls : [];
  }
  blocks.push(...resultBlocks(open, results));
  return { blocks, told: new Set(open.map(({ id }) => id)) };
}

const user = (name: string, pieces: readonly Piece[]): BlockInput => ({ name, role: 'user', pieces });

function turnBlocks(
  past: PastTurn,
  open: readonly PastCall[],
  { nodes, structured }: NodeHistoryOptions,
): readonly BlockInput[] {
  const { turn, cause, taken, said, calls } = past;
  const answered = new Set(open.map(({ id }) => id));
  const incoming = [
    ...taken.results
      .filter((result) => !(result.kind === 'call' && answered.has(result.call)))
      .map(resultShell),
    ...taken.messages.map(messageShell),
    ...taken.inbox.map((envelope) => handoffShell(envelope, nodes)),
  ];
  const told = joinPieces([turnShell({ turn, cause }), ...incoming].map(shellPieces)).map(kept);
  const words =
    said.trim() === '' ? [] : [...escapedPieces([quoted(said, { ...SAID, volatility: 'session' })])];
  const asked = structured ? [] : calls.map((call) => shellPieces(callShell(call)).map(kept));
  const answer = joinPieces([...(words.length === 0 ? [] : [words]), ...asked]);
  const block: BlockInput = {
    name: `turn ${turn} answer`,
    role: 'assistant',
    pieces: answer,
    ...(structured && calls.length > 0
      ? { calls: calls.map(({ id, name, input }): ToolCall => ({ id, name, args: input })) }
      : {}),
  };
  const isSilent = answer.length === 0 && block.calls === undefined;
  return [user(`turn ${turn}`, told), ...(isSilent ? [] : [block])];
}

/** A result for each call, in the order of the calls. */
const resultBlocks = (open: readonly PastCall[], results: readonly TurnResult[]): readonly BlockInput[] =>
  open.map(({ id }): BlockInput => {
    const found = results.find((result) => result.kind === 'call' && result.call === id);
    const text = found?.kind === 'call' ? found.result.text : 'This call has no result.';
    return {
      name: `result ${id}`,
      role: 'tool',
      callId: id,
      pieces: escapedPieces([quoted(text, { trust: 'tool', ref: `result of ${id}`, volatility: 'session' })]),
    };
  });

const callShell = ({ id, name, input }: PastCall) => ({
  header: 'YOUR_CALL',
  fields: [
    { key: 'call', value: stated(id, 'call') },
    { key: 'tool', value: quoted(name, SAID) },
  ],
  body: [quoted(JSON.stringify(input), SAID)],
  closed: true as const,
});

const SAID = { trust: 'agent', ref: 'answer' } as const;

/** What was said stays said: it is the same in every later turn. */
const kept = (piece: Piece): Piece =>
  piece.volatility === 'turn' ? { ...piece, volatility: 'session' } : piece;
