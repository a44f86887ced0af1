import { createHash } from 'node:crypto';
import {
  type Accepted,
  basePromptPieces,
  type Card,
  callParams,
  composeScenario,
  correctionBlock,
  type FillError,
  KEYS,
  paramSources,
  type Scenario,
  textOfCard,
  viewPieces,
  wordsOfCard,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import type { FileStamps } from '@cuebook/journal';
import {
  type BesideSources,
  type BlockInput,
  fail,
  type Origin,
  ok,
  type Piece,
  piecesText,
  type Result,
} from '@cuebook/prompt';
import type { Deed } from './life/deed.js';

export interface DeedInput {
  readonly accepted: Accepted;
  readonly deed: Deed;
  /** The verified card of `deed.target`. */
  readonly target?: Card | undefined;
  /** What was wrong with the answer before. */
  readonly problems?: readonly string[];
}

/** What a deed is said with: certified words and parameters, and fenced values. */
export interface ComposedDeed {
  readonly scenario: Scenario;
  readonly blocks: readonly BlockInput[];
  readonly params: Readonly<Record<string, number>>;
  readonly sources: BesideSources;
  /** The cards that it is made of, as they were read. */
  readonly files: FileStamps;
}

/** `E_RESIDENT`: a deed that cannot be said. */
export type DeedError =
  | FillError
  | { readonly code: 'E_RESIDENT'; readonly reason: 'no-scenario' | 'no-target' };

/**
 * The prompt of a deed. Base prompt, template and parameters come from the verified bundle, views from verified
 * cards; everything else stands inside a fence with the trust that the template declares. Pure.
 */
export function composeDeed({
  accepted,
  deed,
  target,
  problems = [],
}: DeedInput): Result<ComposedDeed, DeedError> {
  const { card, bundle, scenarios } = accepted;
  const scenario = scenarios.get(deed.scenario);
  if (scenario === undefined) return refuse('no-scenario');
  if (guard('resident.target', deed.target !== undefined && target?.agent_id !== deed.target))
    return refuse('no-target');
  const views: Record<string, string> = {
    self_prompt_view: bundle.self_prompt_view,
    ...(target !== undefined && { target_agent_prompt_view: target.prompt_view }),
  };
  // Values of the log never stand in for a view.
  const given = Object.fromEntries(Object.entries(deed.values).filter(([name]) => !VIEWS.includes(name)));
  const origins: Record<string, Origin | readonly Piece[]> = {
    ...Object.fromEntries(Object.entries(deed.sources).map(([name, ref]) => [name, { kind: 'input', ref }])),
    self_prompt_view: viewOf(card),
    ...(target !== undefined && { target_agent_prompt_view: viewOf(target) }),
  };
  const blocks = composeScenario({
    scenario,
    base: baseOf(accepted),
    values: { ...given, ...views },
    origins,
  });
  if (!blocks.ok) return blocks;
  const note = problems.length === 0 ? [] : [correctionBlock(problems)];
  return ok({
    scenario,
    blocks: [...blocks.value.map(ofDeed), ...note],
    params: callParams(scenario.preset),
    sources: paramSources(scenario),
    files: stampsOf([card, ...(target === undefined ? [] : [target])]),
  });
}

/**
 * The base prompt of a bundle with the place of every word. One that this version writes in other words is the
 * bundle's as a whole.
 */
function baseOf({ card, bundle }: Accepted): readonly Piece[] {
  const pieces = basePromptPieces(card, wordsOfCard(card, KEYS.card(card.agent_id)));
  return piecesText(pieces) === bundle.base_prompt
    ? pieces
    : [
        {
          text: bundle.base_prompt,
          origin: { kind: 'value', ref: KEYS.bundle(card.agent_id), subject: 'base_prompt' },
          trust: 'operator',
          secrecy: 'public',
          volatility: 'deploy',
        },
      ];
}

/** The view of a card; one in other words than this version's is the field of the card that says it. */
function viewOf(card: Card): readonly Piece[] {
  const words = wordsOfCard(card, KEYS.card(card.agent_id));
  const pieces = viewPieces(card, words);
  return piecesText(pieces) === card.prompt_view ? pieces : words(['prompt_view'], card.prompt_view);
}

/** Which scenario is next nobody knows: all of a template goes with its deed, and only the base prompt stays. */
const ofDeed = (block: BlockInput): BlockInput =>
  block.role === 'system'
    ? block
    : { ...block, pieces: block.pieces.map((piece) => ({ ...piece, volatility: 'turn' })) };

const stampsOf = (cards: readonly Card[]): FileStamps =>
  Object.fromEntries(
    cards.flatMap((card) => {
      const text = textOfCard(card);
      return text === undefined ? [] : [[KEYS.card(card.agent_id), { hash: sha256(text) }]];
    }),
  );

/** `sha256:` and the hex digest of a text. */
export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const VIEWS: readonly string[] = ['self_prompt_view', 'target_agent_prompt_view'];

const refuse = (reason: 'no-scenario' | 'no-target') => fail<DeedError>({ code: 'E_RESIDENT', reason });
