import type { ModelData } from '@cuebook/define';
import { ok } from '@cuebook/prompt';
import { createProvider, type Provider, priceOf, pricesOf, type Sent } from '@cuebook/provider';
import { type FindProvider, hasPrice } from '@cuebook/thread';
import { flagValue } from '../../command.js';
import { usage } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import { requireProviders } from '../../project/providers.js';
import { readScriptOf, type VoiceCall } from '../voice.js';

/** Who speaks for the models of a project, and what was sent to them. */
export interface AgentVoices {
  readonly find: FindProvider;
  /** Whether all of these models have a known price. */
  readonly isPriced: (models: readonly ModelData[]) => boolean;
  /** The exact bytes of what was sent, by their hash. */
  readonly bodyOf: (hash: string) => string | undefined;
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
  const bodies = new Map<string, string>();
  const isTraced = flagValue(flags, 'trace') !== undefined;
  return {
    find: ({ provider: own }) => {
      const name = named ?? own;
      const known = providers.get(name);
      if (known !== undefined) return known;
      const made = createProvider(name, { config, env: io.env, ...(script && { script }) });
      const found = made.ok
        ? ok(overheard(made.value, { model, bodies: isTraced ? bodies : undefined }))
        : made;
      providers.set(name, found);
      return found;
    },
    isPriced: (models) => {
      const prices = pricesOf(config);
      return models.every((each) => hasPrice(each) || priceOf(model ?? each.model, prices) !== undefined);
    },
    bodyOf: (hash) => bodies.get(hash),
  };
}

interface Overhearing {
  readonly model: string | undefined;
  readonly bodies: Map<string, string> | undefined;
}

/** The same provider: another model may be named for it, and what leaves is kept for the trace. */
const overheard = (provider: Provider, { model, bodies }: Overhearing): Provider => ({
  ...provider,
  open: (options) => {
    const session = provider.open(model === undefined ? options : { ...options, model });
    if (bodies === undefined) return session;
    const keep = ({ hash, bytes }: Sent): void => {
      bodies.set(hash, new TextDecoder().decode(bytes));
    };
    return {
      turn: (input) =>
        session.turn({
          ...input,
          beforeSend: async (sent) => {
            await input.beforeSend?.(sent);
            keep(sent);
          },
        }),
      close: () => session.close(),
    };
  },
});
