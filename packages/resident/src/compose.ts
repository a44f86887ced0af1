import {
  type Accepted,
  type Card,
  callParams,
  composeScenario,
  correctionBlock,
  type FillError,
  KEYS,
  type Scenario,
} from '@cuebook/bundle';
import { guard } from '@cuebook/guard';
import { type BlockInput, fail, type Origin, ok, type Result } from '@cuebook/prompt';
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
  const from = (ref: string): Origin => ({ kind: 'value', ref });
  const views: Record<string, string> = {
    self_prompt_view: bundle.self_prompt_view,
    ...(target !== undefined && { target_agent_prompt_view: target.prompt_view }),
  };
  // Values of the log never stand in for a view.
  const given = Object.fromEntries(Object.entries(deed.values).filter(([name]) => !VIEWS.includes(name)));
  const origins: Record<string, Origin> = {
    ...Object.fromEntries(Object.entries(deed.sources).map(([name, ref]) => [name, { kind: 'input', ref }])),
    self_prompt_view: from(KEYS.card(card.agent_id)),
    ...(target !== undefined && { target_agent_prompt_view: from(KEYS.card(target.agent_id)) }),
  };
  const blocks = composeScenario({
    scenario,
    base: { text: bundle.base_prompt, origin: from(KEYS.bundle(card.agent_id)) },
    values: { ...given, ...views },
    origins,
  });
  if (!blocks.ok) return blocks;
  const note = problems.length === 0 ? [] : [correctionBlock(scenario.id, problems)];
  return ok({ scenario, blocks: [...blocks.value, ...note], params: callParams(scenario.preset) });
}

const VIEWS: readonly string[] = ['self_prompt_view', 'target_agent_prompt_view'];

const refuse = (reason: 'no-scenario' | 'no-target') => fail<DeedError>({ code: 'E_RESIDENT', reason });
