import { type Shape, scenarioShape } from '@cuebook/api/shapes';
import type { Trust } from '@cuebook/prompt';
import { z } from 'zod';

/** Text that a template leaves open. `view` and `text` stand inside a fence; `score` and `date` are one word. */
export interface ScenarioPlaceholder {
  readonly name: string;
  readonly kind: 'view' | 'text' | 'score' | 'date';
  /** Who could have written it. */
  readonly trust: Trust;
  readonly required: boolean;
  readonly example: string;
}

/** The parameters that go beside the prompt, exactly as certified. */
export interface Preset {
  readonly temperature: number;
  readonly max_tokens: number;
  readonly top_p: number;
}

/** What an answer must be. Lengths count Unicode code points. */
export type OutputContract =
  | {
      readonly format: 'text';
      readonly min: number;
      readonly max: number;
      readonly max_sentences?: number | undefined;
      /** Whether it must end with a question. */
      readonly ends_with_question?: boolean | undefined;
    }
  | { readonly format: 'json'; readonly shape: Shape };

/** One behaviour: template, placeholders, parameters and what the answer must be. A change is a new version. */
export interface Scenario {
  readonly id: string;
  readonly version: number;
  readonly side: 'agent' | 'platform';
  readonly summary: string;
  readonly placeholders: readonly ScenarioPlaceholder[];
  readonly preset: Preset;
  readonly output: OutputContract;
  readonly template: string;
}

/** A scenario as it comes out of a verified bundle. */
export const scenarioSchema = z.object(scenarioShape);
