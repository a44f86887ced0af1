import type { ComposedTurn, PortError } from '@cuebook/engine';
import {
  type ComposeMemo,
  composeRequest,
  describeRefusal,
  fail,
  type Hash,
  ok,
  type Redactor,
  type Result,
} from '@cuebook/prompt';
import type { TurnLimits } from '@cuebook/provider';
import type { TeamState } from '../run/state.js';
import { turnWords, type WordsOptions } from '../run/turn-words.js';

export interface PromptOptions extends WordsOptions {
  readonly redactor: Redactor;
  readonly hash: Hash;
  /** What earlier turns composed. */
  readonly memo?: ComposeMemo;
  readonly limits: Partial<TurnLimits>;
}

/** The words of a node's turn, gated, and the digests of its stable parts. */
export interface NodeWords extends ComposedTurn {
  readonly parts: Readonly<Record<string, string>>;
}

/** Composes the turn that a node has in flight: always in full, and as a delta where its session goes on. */
export function composeTurn(
  state: TeamState,
  id: string,
  { redactor, hash, memo, limits, ...options }: PromptOptions,
): Result<NodeWords, PortError> {
  const words = turnWords(state, id, options);
  const work = state.nodes[id]?.work;
  if (words === undefined || !work) return fail({ code: 'E_NODE_IDLE', message: 'The turn is over.' });
  const { full, delta, parts, tools, sources, input } = words;
  const { source, file, text, commit } = input.role;
  // A template may be another one than the run was begun with.
  const files = source === 'repository' ? { [file]: { hash: hash(text), ...(commit && { commit }) } } : {};
  const request = composeRequest({ blocks: full, tools, sources, hash, redactor, memo });
  if (!request.ok) return refused(request.error);
  if (work.kind.kind === 'full') return ok({ request: request.value, files, limits, parts });
  const short = composeRequest({ blocks: delta, tools, sources, hash, redactor, memo });
  if (!short.ok) return refused(short.error);
  return ok({ request: request.value, delta: short.value, files, limits, parts });
}

const refused = (refusals: readonly Parameters<typeof describeRefusal>[0][]): Result<never, PortError> => {
  const [first] = refusals;
  const more = refusals.length > 1 ? ` And ${refusals.length - 1} more.` : '';
  const message = first === undefined ? 'The prompt was refused.' : `${describeRefusal(first)}${more}`;
  return fail({ code: first?.code ?? 'E_PROMPT_LEAK', message });
};
