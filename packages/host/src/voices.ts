import { fail, ok, type Result } from '@cuebook/prompt';
import { createProvider, type Provider, priceOf, pricesOf, readScript } from '@cuebook/provider';
import type { HostError } from './contract.js';
import { diagnosed, refuse } from './errors.js';
import type { Ground } from './kind.js';
import type { NotedCall } from './run-note.js';

/** Who speaks in a run: the script or the provider that its call names for everybody, else each one's own. */
export interface RunVoices {
  /** The provider for who names one; left out: the project's. Made once. */
  find(own?: string): Result<Provider, { readonly code: string; readonly message: string }>;
  /** The model that the call names for everybody. */
  readonly model: string | undefined;
  /** Whether what a turn costs is known: of the model that the call names for everybody, else of this one. */
  isPriced(model: string | undefined): boolean;
  /** The same of this model, whoever the call names: one that is asked when another failed. */
  hasPrice(model: string): boolean;
}

export function openRunVoices(
  { config, env }: Ground['providers'],
  call: Pick<NotedCall, 'provider' | 'model' | 'script'>,
): Result<RunVoices, HostError> {
  const script = call.script === undefined ? undefined : readScript(call.script, 'script');
  if (script && !script.ok) return diagnosed(script.error);
  const named = call.provider ?? (script === undefined ? undefined : 'rehearsal');
  if (script !== undefined && named !== 'rehearsal')
    return refuse('invalid', 'E_RUN_TARGET', 'A script is played by the rehearsal: leave the provider out.');
  const made = new Map<string | undefined, ReturnType<RunVoices['find']>>();
  const prices = pricesOf(config);
  const voices: RunVoices = {
    find(own) {
      const name = named ?? own;
      const known = made.get(name);
      if (known !== undefined) return known;
      const found = createProvider(name, { config, env, ...(script?.ok ? { script: script.value } : {}) });
      made.set(name, found);
      return found;
    },
    model: call.model,
    isPriced: (model) => {
      const name = call.model ?? model;
      return name !== undefined && voices.hasPrice(name);
    },
    hasPrice: (model) => priceOf(model, prices) !== undefined,
  };
  if (named === undefined) return ok(voices);
  const found = voices.find();
  return found.ok ? ok(voices) : fail({ ...found.error, kind: 'invalid' });
}
