import {
  type BlockInput,
  cutPieces,
  fail,
  type Origin,
  ok,
  type Piece,
  type Result,
  shellPieces,
} from '@cuebook/prompt';
import { TEXTS } from '../shipped-texts.js';
import { findShipped } from './library/library.js';
import { templateFile } from './library/second.js';
import type { Scenario, ScenarioPlaceholder } from './scenario.js';
import { type FillError, fillTemplate, templateParts } from './template.js';

export interface ScenarioInput {
  readonly scenario: Scenario;
  /** The base prompt of the agent's card. Left out for what the platform itself asks. */
  readonly base?: readonly Piece[] | undefined;
  readonly values: Readonly<Record<string, string>>;
  /** Where the values come from, by name; `input` with the placeholder's name otherwise. Pieces say the whole value. */
  readonly origins?: Readonly<Record<string, Origin | readonly Piece[]>> | undefined;
  /** The words of the template with their places, where they come from a file of the project. */
  readonly words?: readonly Piece[] | undefined;
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
  const words = templateWords(scenario, input.words);
  const pieces = filled.value.flatMap(({ text, placeholder }): readonly Piece[] => {
    if (placeholder === undefined) return words.next(text);
    const own = Object.hasOwn(origins, placeholder.name) ? origins[placeholder.name] : undefined;
    return valuePieces(text, placeholder, own ?? { kind: 'input', ref: placeholder.name });
  });
  const task: BlockInput = { name: scenario.id, role: 'user', pieces };
  if (base === undefined) return ok([task]);
  return ok([{ name: 'base', role: 'system', pieces: base }, task]);
}

/**
 * The words of a template between its placeholders, one after the other. A template that says what the shipped one of
 * its name says has the places of that file; another is named by its version.
 */
function templateWords(
  scenario: Scenario,
  own: readonly Piece[] | undefined,
): { readonly next: (text: string) => readonly Piece[] } {
  const whole = own ?? [shippedWords(scenario)];
  let at = 0;
  const offsets = templateParts(scenario).flatMap(({ text, placeholder }) => {
    at += text.length;
    return placeholder === undefined ? [at - text.length] : [];
  });
  return {
    next: (text) => {
      const from = offsets.shift() ?? 0;
      return cutPieces(whole, from, from + text.length);
    },
  };
}

function shippedWords({ id, version, template }: Scenario): Piece {
  const labels = { trust: 'platform', secrecy: 'public', volatility: 'deploy' } as const;
  const shipped = findShipped(id, version) && TEXTS.piece(templateFile(id, version), 'deploy');
  return shipped?.text === template
    ? shipped
    : { text: template, origin: { kind: 'shipped', ref: `scenario:${id}@v${version}` }, ...labels };
}

function valuePieces(
  text: string,
  { name, kind, trust }: ScenarioPlaceholder,
  from: Origin | readonly Piece[],
): readonly Piece[] {
  const volatility = kind === 'view' ? 'deploy' : 'turn';
  const sources = 'kind' in from ? [{ text, origin: from }] : from;
  const value = sources.map(
    ({ text: words, origin }): Piece => ({ text: words, origin, trust, secrecy: 'public', volatility }),
  );
  if (kind === 'score' || kind === 'date') return value;
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
  return shellPieces({ header: CONTEXT_HEADER, fields, body: value, closed: true });
}
