import { TEXTS } from '../../shipped-texts.js';
import type { ScenarioPlaceholder } from '../scenario.js';

/** What stands in where nothing is handed in, by its name in `texts/examples.md`. */
export const exampleOf = (name: string): string => TEXTS.text(`examples.md#${name}`);

/** The agent's own certified view. */
export const SELF: ScenarioPlaceholder = {
  name: 'self_prompt_view',
  kind: 'view',
  trust: 'operator',
  required: true,
  example: exampleOf('self_prompt_view'),
};

/** The certified view of the agent that is spoken to. */
export const TARGET: ScenarioPlaceholder = {
  name: 'target_agent_prompt_view',
  kind: 'view',
  trust: 'operator',
  required: true,
  example: exampleOf('target_agent_prompt_view'),
};

export const DATE: ScenarioPlaceholder = {
  name: 'date',
  kind: 'date',
  trust: 'platform',
  required: true,
  example: exampleOf('date'),
};

/** Text of a turn, inside a fence. */
export const context = (
  name: string,
  trust: ScenarioPlaceholder['trust'],
  { example = name, required = true }: { readonly example?: string; readonly required?: boolean } = {},
): ScenarioPlaceholder => ({ name, kind: 'text', trust, required, example: exampleOf(example) });
