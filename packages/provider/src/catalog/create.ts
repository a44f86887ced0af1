import { fail, ok, type Result } from '@cuebook/prompt';
import { createAcpProvider } from '../acp/provider.js';
import { createApiProvider } from '../api/provider.js';
import { type ApiName, VENDORS } from '../api/vendor.js';
import { createClaudeProvider } from '../claude/provider.js';
import { createCodexProvider } from '../codex/codex.js';
import { createGeminiProvider } from '../gemini/gemini.js';
import { createLineProvider } from '../line/provider.js';
import { BUILT_IN_PRICES } from '../price/built-in.js';
import type { PriceTable } from '../price/price.js';
import { overridePrices } from '../price/price-file.js';
import { createRehearsalProvider } from '../rehearsal/provider.js';
import type { Script } from '../rehearsal/script.js';
import type { Provider, TurnError } from '../turn.js';
import { defaultProvider, providerCatalog } from './catalog.js';
import { type CustomProvider, NO_CONFIG, type ProviderConfig } from './config.js';

export interface CreateOptions {
  readonly config?: ProviderConfig;
  /** Where keys, logins and addresses are looked up; left out: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For the rehearsal. */
  readonly script?: Script;
}

/** Makes a provider by its name in the catalog; without a name, the one that speaks by default. */
export function createProvider(name?: string, options: CreateOptions = {}): Result<Provider, TurnError> {
  const { config = NO_CONFIG, env = process.env, script } = options;
  const wanted = name ?? defaultProvider(config);
  const custom = Object.hasOwn(config.providers, wanted) ? config.providers[wanted] : undefined;
  if (custom !== undefined) return ok(createCustom(wanted, custom, { env, prices: pricesOf(config) }));
  if (wanted === 'rehearsal') return ok(createRehearsalProvider(script === undefined ? {} : { script }));
  if (wanted === 'claude') return ok(createClaudeProvider({ env }));
  if (wanted === 'codex') return ok(createCodexProvider({ environment: env }));
  if (wanted === 'gemini') return ok(createGeminiProvider({ environment: env }));
  if (isApi(wanted)) return ok(createApiProvider({ api: wanted, env, prices: pricesOf(config) }));
  const known = providerCatalog(config).map((entry) => entry.name);
  const message = `There is no provider called "${wanted}". There are: ${known.join(', ')}.`;
  return fail({ code: 'E_PROVIDER_CONFIG', message, retryable: false });
}

/** The built-in prices, and those of the configuration over them. */
export const pricesOf = ({ prices }: ProviderConfig): PriceTable =>
  prices === undefined ? BUILT_IN_PRICES : overridePrices(prices as PriceTable, BUILT_IN_PRICES);

const isApi = (name: string): name is ApiName => Object.hasOwn(VENDORS, name);

function createCustom(
  name: string,
  custom: CustomProvider,
  { env, prices }: { readonly env: NonNullable<CreateOptions['env']>; readonly prices: PriceTable },
): Provider {
  if (custom.kind === 'compatible') {
    const { baseUrl, keyName } = custom;
    const apiKey = keyName === undefined ? '' : (env[keyName] ?? '');
    return createApiProvider({ api: 'compatible', name, baseUrl, apiKey, env, prices });
  }
  if (custom.kind === 'claude') {
    return { ...createClaudeProvider({ ...given(custom.command), env, set: custom.env }), name };
  }
  if (custom.kind === 'codex') {
    const { command, transport, allow, config } = custom;
    const options = { ...given(command), ...(transport && { transport }), allow, config, environment: env };
    return { ...createCodexProvider(options), name };
  }
  if (custom.kind === 'gemini') {
    const { command, trust, allow } = custom;
    const trusted = trust === undefined ? {} : { trust };
    return { ...createGeminiProvider({ ...given(command), ...trusted, allow, environment: env }), name };
  }
  const { command, args, env: set, allow } = custom;
  const program = { name, command, args, env: set, allow, parentEnv: env };
  if (custom.kind !== 'acp') {
    const sessions = custom.kind === 'line' ? custom.sessions : undefined;
    const protocol = custom.kind === 'raw' ? 'raw' : 'lines';
    return createLineProvider({ ...program, protocol, ...(sessions !== undefined && { sessions }) });
  }
  const { modelFlag, authMethod, usage, modes = {} } = custom;
  const { plan, edit, full } = modes;
  return createAcpProvider({
    ...program,
    modes: { ...(plan && { plan }), ...(edit && { edit }), ...(full && { full }) },
    ...(modelFlag && { modelFlag }),
    ...(authMethod && { authMethod }),
    ...(usage && { usage }),
  });
}

const given = (command: string | undefined) => (command === undefined ? {} : { command });
