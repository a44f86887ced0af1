import { presetSchema } from '@cuebook/api/shapes';
import { z } from 'zod';
import type { PreparedCard } from '../card/card.js';
import { printTime } from '../cert/cert.js';
import { canonicalBytes, shareText } from '../json/read.js';
import { type Scenario, scenarioSchema } from '../scenario/scenario.js';

const entry = scenarioSchema.omit({ preset: true }).extend({
  params_preset: z.string(),
  output_format: z.enum(['text', 'json']),
});

/** Everything that an agent is told by the platform. Members that this version does not know are kept out. */
export const bundleSchema = z.object({
  kind: z.literal('prompt_bundle'),
  schema_version: z.literal(1),
  agent_id: z.string(),
  card_version: z.int().min(1),
  bundle_version: z.int().min(1),
  issued_at: z.string(),
  base_prompt: z.string(),
  self_prompt_view: z.string(),
  params_presets: z.record(z.string(), presetSchema),
  /** The arm of each scenario under trial. The platform assigns it; it is signed with the rest. */
  cohorts: z.record(z.string(), z.string()).default({}),
  scenarios: z.array(entry).max(64),
});

export type Bundle = z.infer<typeof bundleSchema>;

export interface BundleInput {
  readonly prepared: PreparedCard;
  readonly version: number;
  readonly scenarios: readonly Scenario[];
  readonly cohorts?: Readonly<Record<string, string>>;
  readonly now: number;
}

/** The bundle of a card, before it is certified. Scenarios of the platform itself stay out. */
export function buildBundle({ prepared, version, scenarios, cohorts = {}, now }: BundleInput): Bundle {
  const { card, basePrompt } = prepared;
  const { presets, entries } = partsOf(scenarios);
  return {
    kind: 'prompt_bundle',
    schema_version: 1,
    agent_id: card.agent_id,
    card_version: card.card_version,
    bundle_version: version,
    issued_at: printTime(now),
    base_prompt: basePrompt,
    self_prompt_view: card.prompt_view,
    params_presets: presets,
    cohorts: { ...cohorts },
    scenarios: entries,
  };
}

interface Parts {
  readonly presets: Bundle['params_presets'];
  readonly entries: Bundle['scenarios'];
}

/** What the scenarios put into every bundle alike: made once for each list of them. */
function partsOf(scenarios: readonly Scenario[]): Parts {
  const known = PARTS.get(scenarios);
  if (known !== undefined) return known;
  const own = scenarios.filter(({ side }) => side === 'agent');
  const parts: Parts = {
    presets: shareText(Object.fromEntries(own.map(({ id, preset }) => [id, { ...preset }]))),
    entries: shareText(
      own.map(({ preset: _, ...scenario }) => ({
        ...scenario,
        placeholders: [...scenario.placeholders],
        params_preset: scenario.id,
        output_format: scenario.output.format,
      })),
    ),
  };
  PARTS.set(scenarios, parts);
  return parts;
}

const PARTS = new WeakMap<readonly Scenario[], Parts>();

/** The scenarios of a bundle with their parameters. Undefined when an entry names a preset that is not there. */
export function bundleScenarios(bundle: Bundle): readonly Scenario[] | undefined {
  const scenarios = bundle.scenarios.map(({ params_preset, output_format, ...scenario }) => {
    const preset = Object.hasOwn(bundle.params_presets, params_preset)
      ? bundle.params_presets[params_preset]
      : undefined;
    return preset === undefined || output_format !== scenario.output.format
      ? undefined
      : { ...scenario, preset };
  });
  return scenarios.every((scenario) => scenario !== undefined)
    ? (scenarios as readonly Scenario[])
    : undefined;
}

/** The bytes by which a template is listed in the library: template, placeholders, parameters and contract. */
export const templateBytes = (scenario: Scenario): Buffer => canonicalBytes(scenario) as Buffer;

/** The bytes by which a review is listed: every word that a model will read because of this card. */
export const reviewBytes = (card: Readonly<Record<string, unknown>>, basePrompt: string): Buffer =>
  canonicalBytes({ base_prompt: basePrompt, card }) as Buffer;
