import type { ScenarioPlaceholder } from '../scenario.js';

/** The agent's own certified view. */
export const SELF: ScenarioPlaceholder = {
  name: 'self_prompt_view',
  kind: 'view',
  trust: 'operator',
  required: true,
  example: 'name: Ada\npersonality: extrovert 0.7, curious 0.9, creative 0.6, stable 0.5',
};

/** The certified view of the agent that is spoken to. */
export const TARGET: ScenarioPlaceholder = {
  name: 'target_agent_prompt_view',
  kind: 'view',
  trust: 'operator',
  required: true,
  example: 'name: Bo\npersonality: extrovert 0.2, curious 0.6, creative 0.8, stable 0.9\ninterests: birds',
};

export const DATE: ScenarioPlaceholder = {
  name: 'date',
  kind: 'date',
  trust: 'platform',
  required: true,
  example: '2026-11-15',
};

/** Text of a turn, inside a fence. */
export const context = (
  name: string,
  trust: ScenarioPlaceholder['trust'],
  example: string,
  required = true,
): ScenarioPlaceholder => ({ name, kind: 'text', trust, required, example });
