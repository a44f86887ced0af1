import type { DefinitionEntry, ModelData } from '@cuebook/define';
import { type EffectIntent, type PerformContext, readTurnOutcome, takeTurn } from '@cuebook/engine';
import { type BlockInput, composeRequest, type GatedRequest } from '@cuebook/prompt';
import type { Usage } from '@cuebook/provider';
import type { ThreadRunState } from '../run/state.js';
import { TEXTS } from '../shipped-texts.js';
import type { Describe, DriveParts } from './parts.js';
import { pricedUsage } from './price.js';

/** Says what pictures show, when they are too old to be sent, by asking the model that has seen them. */
export interface Describer {
  readonly describe: (
    image: Parameters<Describe>[0],
    model: DefinitionEntry<ModelData>,
  ) => Promise<string | undefined>;
  /** What that cost. */
  readonly usage: () => Partial<Usage> | undefined;
}

export interface DescribingIn {
  readonly effect: EffectIntent;
  readonly context: PerformContext;
  readonly state: ThreadRunState;
  readonly frame: string;
  readonly names: readonly string[];
}

/** Each description is a turn of its own on record, beside the one that needs it. */
export function createDescriber(
  parts: DriveParts,
  { effect, context, state, frame, names }: DescribingIn,
): Describer {
  let usage: Partial<Usage> | undefined;
  let count = 0;
  return {
    usage: () => usage,
    async describe(image, model) {
      if (parts.describe !== undefined) return parts.describe(image);
      if (model.data.capabilities.vision === false) return undefined;
      const redactor = parts.redactorOf(state);
      const voice = await parts.voices.open({
        state,
        run: context.run,
        frame,
        names,
        model: model.data,
        redactor,
        mask: parts.maskOf(state),
        turn: context,
      });
      // A script has its next words for the conversation.
      if (!voice.ok || voice.value.kind === 'rehearsal') return undefined;
      const request = requestFor(parts, image, model.data, redactor);
      if (request === undefined) return undefined;
      count += 1;
      const taken = await takeTurn(
        { recorder: parts.recorder, redactor },
        {
          effect: { ...effect, id: `${effect.id}.picture${count}` },
          context,
          composed: { request },
          session: voice.value.session,
          voice: { provider: voice.value.provider, model: voice.value.model },
        },
      );
      if (!taken.ok) return undefined;
      const turn = readTurnOutcome(taken);
      usage = addUsage(usage, pricedUsage(turn.usage, model.data));
      if (turn.end.reason !== 'done') return undefined;
      const words = parts.maskOf(state).text(turn.text).replaceAll(/\s+/g, ' ').trim();
      return words === '' ? undefined : [...words].slice(0, MAX_WORDS).join('');
    },
  };
}

/** Characters of a description. */
const MAX_WORDS = 600;

function requestFor(
  { hash }: DriveParts,
  { type, data }: Parameters<Describe>[0],
  { model, providerOptions = {} }: ModelData,
  redactor: Parameters<typeof composeRequest>[0]['redactor'],
): GatedRequest | undefined {
  const blocks: readonly BlockInput[] = [
    { name: 'system', role: 'system', pieces: [TEXTS.piece('conversation.md#picture.task')] },
    {
      name: 'picture',
      role: 'user',
      pieces: [TEXTS.piece('conversation.md#picture.here')],
      media: [{ type, data }],
    },
  ];
  const params = { model, maxOutputTokens: 300, providerOptions: providerOptions as never };
  const request = composeRequest({ blocks, tools: [], params, hash, redactor });
  return request.ok ? request.value : undefined;
}

/** What two turns used together. */
export function addUsage(
  a: Partial<Usage> | undefined,
  b: Partial<Usage> | undefined,
): Partial<Usage> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Usage)[];
  return Object.fromEntries(keys.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]));
}
