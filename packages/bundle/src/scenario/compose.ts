import {
  type BlockInput,
  fail,
  type Origin,
  ok,
  type Piece,
  type Result,
  shellPieces,
} from '@cuebook/prompt';
import type { Placeholder, Scenario } from './scenario.js';
import { type FillError, fillTemplate } from './template.js';

/** Words with the place that they come from. */
export interface Sourced {
  readonly text: string;
  readonly origin: Origin;
}

export interface ScenarioInput {
  readonly scenario: Scenario;
  /** The base prompt of the agent's card. Left out for what the platform itself asks. */
  readonly base?: Sourced | undefined;
  readonly values: Readonly<Record<string, string>>;
  /** Where the values come from, by name; `input` with the placeholder's name otherwise. */
  readonly origins?: Readonly<Record<string, Origin>> | undefined;
}

/** The header of the fence around what is put into a template. */
export const CONTEXT_HEADER = 'CONTEXT_TEXT';

/**
 * The base prompt as a system-role block and the filled template as a user-role block. Views and texts stand in
 * fences; scores and dates are one checked word and stand in the line.
 */
export function composeScenario(input: ScenarioInput): Result<readonly BlockInput[], FillError> {
  const { scenario, base, values, origins = {} } = input;
  const filled = fillTemplate(scenario, values);
  if (!filled.ok) return fail(filled.error);
  const shipped: Origin = { kind: 'shipped', ref: `scenario:${scenario.id}@v${scenario.version}` };
  const pieces = filled.value.flatMap(({ text, placeholder }): readonly Piece[] => {
    if (placeholder === undefined)
      return [{ text, origin: shipped, trust: 'platform', secrecy: 'public', volatility: 'deploy' }];
    const own = Object.hasOwn(origins, placeholder.name) ? origins[placeholder.name] : undefined;
    return valuePieces(text, placeholder, own ?? { kind: 'input', ref: placeholder.name });
  });
  const task: BlockInput = { name: scenario.id, role: 'user', pieces };
  if (base === undefined) return ok([task]);
  const piece: Piece = { ...base, trust: 'operator', secrecy: 'public', volatility: 'deploy' };
  return ok([{ name: 'base', role: 'system', pieces: [piece] }, task]);
}

function valuePieces(text: string, { name, kind, trust }: Placeholder, origin: Origin): readonly Piece[] {
  const volatility = kind === 'view' ? 'deploy' : 'turn';
  const value: Piece = { text, origin, trust, secrecy: 'public', volatility };
  if (kind === 'score' || kind === 'date') return [value];
  const label = (word: string): Piece => ({
    text: word,
    origin: { kind: 'structure', ref: 'placeholder' },
    trust: 'platform',
    secrecy: 'public',
    volatility: 'build',
  });
  const fields = [
    { key: 'name', value: label(name) },
    { key: 'trust', value: label(trust) },
  ];
  return shellPieces({ header: CONTEXT_HEADER, fields, body: [value], closed: true });
}
