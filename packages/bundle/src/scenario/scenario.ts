import type { Trust } from '@cuebook/prompt';
import { z } from 'zod';
import { type Shape, shapeSchema } from './shape.js';

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

const placeholder = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  kind: z.enum(['view', 'text', 'score', 'date']),
  trust: z.enum(['platform', 'author', 'operator', 'user', 'agent', 'tool', 'external']),
  required: z.boolean(),
  example: z.string().max(2000),
});

const text = z.object({
  format: z.literal('text'),
  min: z.int().min(0),
  max: z.int().min(1),
  max_sentences: z.int().min(1).optional(),
  ends_with_question: z.boolean().optional(),
});

export const presetSchema = z.strictObject({
  temperature: z.number().min(0).max(2),
  max_tokens: z.int().min(1).max(32_000),
  top_p: z.number().min(0).max(1),
});

/** A scenario as it comes out of a verified bundle. */
export const scenarioSchema = z.object({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  version: z.int().min(1),
  side: z.enum(['agent', 'platform']),
  summary: z.string().max(500),
  placeholders: z.array(placeholder).max(32),
  preset: presetSchema,
  output: z.union([text, z.object({ format: z.literal('json'), shape: shapeSchema })]),
  template: z.string().max(64_000),
});
