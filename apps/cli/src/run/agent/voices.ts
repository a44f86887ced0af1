import type { ModelData } from '@cuebook/define';
import { ok } from '@cuebook/prompt';
import { createProvider, type Provider, priceOf, pricesOf } from '@cuebook/provider';
import { type FindProvider, hasPrice } from '@cuebook/thread';
import { flagValue } from '../../command.js';
import { usage } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import { requireProviders } from '../../project/providers.js';
import { readScriptOf, type VoiceCall } from '../voice.js';

/** Who speaks for the models of a project. */
export interface AgentVoices {
  readonly find: FindProvider;
  /** Whether all of these models have a known price. */
  readonly isPriced: (models: readonly ModelData[]) => boolean;
}

/** The script or the provider that the call names speaks for every model; else each model's own provider does. */
export async function openAgentVoices({ files }: Bench, call: VoiceCall): Promise<AgentVoices> {
  const { flags, io } = call;
  const config = await requireProviders(files);
  const script = await readScriptOf(call);
  const named = flagValue(flags, 'provider') ?? (script === undefined ? undefined : 'rehearsal');
  if (script !== undefined && named !== 'rehearsal')
    throw usage('--script is played by the rehearsal: leave --provider out');
  const model = flagValue(flags, 'model');
  const providers = new Map<string, ReturnType<FindProvider>>();
  return {
    find: ({ provider: own }) => {
      const name = named ?? own;
      const known = providers.get(name);
      if (known !== undefined) return known;
      const made = createProvider(name, { config, env: io.env, ...(script && { script }) });
      const found = made.ok && model !== undefined ? ok(withModel(made.value, model)) : made;
      providers.set(name, found);
      return found;
    },
    isPriced: (models) => {
      const prices = pricesOf(config);
      return models.every((each) => hasPrice(each) || priceOf(model ?? each.model, prices) !== undefined);
    },
  };
}

/** The same provider with a model that is named for it. */
const withModel = (provider: Provider, model: string): Provider => ({
  ...provider,
  open: (options) => provider.open({ ...options, model }),
});
