import type { RebuiltTurn } from '@cuebook/journal';
import { explain, type Origin, type Trust } from '@cuebook/prompt';
import type { Call } from '../command.js';
import { requireSaid } from './recorded-turn.js';
import { saidOrigin } from './said-in.js';
import { stamped } from './stamped.js';

/** One step of the way from words of a turn back to their source: what the turn `at` was told them from. */
export interface ChainLink {
  /** `RUN@3`, `RUN@3#CALL` */
  readonly at: string;
  readonly origin: Origin;
}

export interface ChainStart {
  readonly origin: Origin;
  readonly trust: Trust;
  /** The words from the place on. */
  readonly words: string;
}

/**
 * Follows words that an earlier turn said to what that turn was told, and so on: to a file, to an input, or to the turn
 * that was told nothing of the kind, whose model or tool the words are. Each step leads to an earlier turn.
 */
export async function chainOf(
  call: Pick<Call, 'flags' | 'io'>,
  { origin, trust, words }: ChainStart,
): Promise<readonly ChainLink[]> {
  const chain: ChainLink[] = [];
  let at = turnOfOrigin(origin);
  let isResult = trust === 'tool';
  while (at !== undefined && chain.length < MAX_LINKS) {
    const { turn, number, said, name } = await requireSaid(call, at);
    const { prompt } = turn.request;
    const found = findWords(prompt.text, words);
    const told = found === undefined ? undefined : explain(prompt, found.at);
    if (told === undefined) return [...chain, { at, origin: speakerOf(turn, isResult) }];
    const block = prompt.blocks.find((each) => each.name === told.block);
    const next =
      saidOrigin(said, { prompt, block, origin: told.origin, text: told.text, turn: number }) ?? told.origin;
    const then = stamped(next, turn);
    chain.push({ at: name, origin: found?.isOnce === false ? { ...then, guess: SEVERAL } : then });
    at = turnOfOrigin(next);
    isResult = told.span.trust === 'tool';
  }
  return chain;
}

/** Prompts repeat what earlier ones said: the first link leads far back, and this many are more than people read. */
const MAX_LINKS = 32;

const turnOfOrigin = ({ kind, ref }: Origin): string | undefined =>
  kind === 'result' && /^\w+@\d+(?:#\S+)?$/.test(ref) ? ref : undefined;

const speakerOf = ({ to }: RebuiltTurn, isResult: boolean): Origin =>
  isResult
    ? { kind: 'result', ref: 'what the tool answered' }
    : { kind: 'result', ref: `words of ${to.model ?? to.provider}` };

const SEVERAL = 'the turn was told these words in several places, and this is the first';

/** Where a prompt has the line of these words, or as much of it as stands before an escape; and whether it is the only place. */
function findWords(
  text: string,
  words: string,
): { readonly at: number; readonly isOnce: boolean } | undefined {
  const [line = ''] = words.split('\n', 1);
  const [plain = ''] = line.split(/["\\]/, 1);
  for (const each of [line.trim(), plain.trim()]) {
    const at = each.length < MIN_WORDS ? -1 : text.indexOf(each);
    if (at !== -1) return { at: Buffer.byteLength(text.slice(0, at)), isOnce: !text.includes(each, at + 1) };
  }
  return undefined;
}

/** Fewer characters stand in any text by chance. */
const MIN_WORDS = 6;
