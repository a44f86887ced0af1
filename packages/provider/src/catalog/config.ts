import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { switchTelemetry } from '../telemetry/api.js';
import { BUILT_IN } from './entry.js';

const names = z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, 'a name of an environment variable'));

const program = {
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Set for the program. No place for keys: files are shared. */
  env: z.record(z.string().min(1), z.string()).default({}),
  /** Names of the environment that the program may see beside the common ones. */
  allow: names.default([]),
};

const acp = z.strictObject({
  kind: z.literal('acp'),
  ...program,
  modelFlag: z.string().min(1).optional(),
  authMethod: z.string().min(1).optional(),
  usage: z.enum(['turn', 'session']).optional(),
  modes: z
    .strictObject({ plan: z.string().optional(), edit: z.string().optional(), full: z.string().optional() })
    .optional(),
});
const line = z.strictObject({
  kind: z.literal('line'),
  ...program,
  /** Where it keeps its sessions, so that they go with a run to another machine. */
  sessions: z
    .string()
    .regex(/^(?:\/|~\/|[A-Za-z]:[\\/])/, 'an absolute path, or one below ~/')
    .optional(),
});
const raw = z.strictObject({ kind: z.literal('raw'), ...program });
const compatible = z.strictObject({
  kind: z.literal('compatible'),
  baseUrl: z.url(),
  /** The environment variable that holds the key. */
  keyName: z.string().min(1).optional(),
});

const command = z.string().min(1).optional();
const claude = z.strictObject({
  kind: z.literal('claude'),
  command,
  /** Set for the program. No place for keys: files are shared. */
  env: z.record(z.string().min(1), z.string()).default({}),
});
const codex = z.strictObject({
  kind: z.literal('codex'),
  command,
  /** More names that it may see: the `env_key` of a provider in the user's own configuration. */
  allow: names.default([]),
  /** `-c` pairs over the user's own configuration. */
  config: z
    .record(z.string().min(1), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .default({}),
  transport: z.enum(['app-server', 'exec']).optional(),
});
const gemini = z.strictObject({
  kind: z.literal('gemini'),
  command,
  allow: names.default([]),
  /** Whether it trusts the project's folder, and the settings that stand there. */
  trust: z.boolean().optional(),
});

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
});

const schema = z.object({
  /** The provider that speaks when none is named. */
  provider: z.string().min(1).optional(),
  /** Providers of one's own, by name. */
  providers: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'a name is written in small letters, digits and dashes'),
      z.discriminatedUnion('kind', [acp, line, raw, compatible, claude, codex, gemini]),
    )
    .default({}),
  /** Whether OpenTelemetry is told of runs; `CUEBOOK_TELEMETRY` goes first. */
  telemetry: z.union([z.boolean(), z.enum(['on', 'off'])]).optional(),
  /** US dollars for a million tokens, over the built-in table. */
  prices: z.strictObject({ date: z.iso.date(), models: z.record(z.string().min(1), price) }).optional(),
});

/** What a project says about providers, in its cuebook.yaml. */
export type ProviderConfig = z.infer<typeof schema>;
export type CustomProvider = ProviderConfig['providers'][string];

/** Without a file: nothing of one's own, and the rehearsal speaks. */
export const NO_CONFIG: ProviderConfig = { providers: {} };

/** In bytes. A longer file is not read. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Reads `provider`, `providers`, `telemetry` and `prices` of a cuebook.yaml; the other keys belong to others. */
export function readProviderConfig(
  text: string,
  file: string,
): Result<ProviderConfig, readonly Diagnostic[]> {
  if (text.trim() === '') return ok(NO_CONFIG);
  const yaml = readYaml(file, text, 'E_PROVIDER_CONFIG', { maxBytes: MAX_CONFIG_BYTES });
  if (!yaml.ok) return fail(yaml.diagnostics);
  const value = yaml.value.value ?? {};
  const read = readShape({ ...yaml.value, value }, schema, 'E_PROVIDER_CONFIG');
  if (!read.ok) return fail([...read.diagnostics, ...strayNames(writtenNames(value), file)]);
  const problems = strayNames(read.value, file);
  if (problems.length > 0) return fail(problems);
  const { telemetry } = read.value;
  if (telemetry !== undefined) switchTelemetry(telemetry === true || telemetry === 'on');
  return ok(read.value);
}

/** The names in a configuration that does not fit, as far as they can be read. */
function writtenNames(value: unknown): Names {
  const { provider, providers } = Object(value) as Readonly<Record<string, unknown>>;
  const isMap = typeof providers === 'object' && providers !== null && !Array.isArray(providers);
  return {
    provider: typeof provider === 'string' && provider !== '' ? provider : undefined,
    providers: isMap ? providers : {},
  };
}

interface Names {
  readonly provider?: string | undefined;
  readonly providers: object;
}

/** A name of ours cannot be given to something else, and the default has to be there. */
function strayNames({ provider, providers }: Names, file: string): readonly Diagnostic[] {
  const builtIn = new Set(BUILT_IN.map(({ name }) => name));
  const own = Object.keys(providers);
  const taken = own
    .filter((name) => builtIn.has(name))
    .map((name) => `providers.${name}: this name is built in`);
  const isKnown = provider === undefined || builtIn.has(provider) || own.includes(provider);
  const messages = isKnown ? taken : [...taken, `provider: there is no provider called "${provider}"`];
  return messages.map((message) => ({ code: 'E_PROVIDER_CONFIG', severity: 'error', message, file }));
}
