import { ACP_CAPABILITIES } from '../acp/provider.js';
import { CODEX_EXEC_CAPABILITIES } from '../codex/codex.js';
import { LINE_CAPABILITIES, RAW_CAPABILITIES } from '../line/provider.js';
import { type CustomProvider, NO_CONFIG, type ProviderConfig } from './config.js';
import { apiEntry, BUILT_IN, type CatalogEntry, DEFAULT_PROVIDER, type ProgramNeed } from './entry.js';

/** Every provider there is: the built-in ones, then those of the configuration, by name. */
export function providerCatalog(config: ProviderConfig = NO_CONFIG): readonly CatalogEntry[] {
  const own = Object.entries(config.providers).sort(([a], [b]) => (a < b ? -1 : 1));
  return [...BUILT_IN, ...own.map(([name, custom]) => customEntry(name, custom))];
}

/** Who speaks when nobody is named. */
export const defaultProvider = ({ provider }: ProviderConfig): string => provider ?? DEFAULT_PROVIDER;

function customEntry(name: string, custom: CustomProvider): CatalogEntry {
  if (custom.kind === 'compatible') {
    const keys = custom.keyName === undefined ? {} : { keys: [custom.keyName] };
    return apiEntry('compatible', 'Chat Completions at an address of your own', {
      name,
      configured: true,
      ...keys,
    });
  }
  if (isBuiltIn(custom)) return ownSettings(name, custom);
  const { title, capabilities } = CUSTOM[custom.kind];
  return { name, kind: 'cli', title, capabilities, program: ownProgram(name, custom.command) };
}

type BuiltInKind = Extract<CustomProvider, { kind: 'claude' | 'codex' | 'gemini' }>;

const isBuiltIn = (custom: CustomProvider): custom is BuiltInKind =>
  BUILT_IN.some((entry) => entry.name === custom.kind);

/** One of the agents that are built in, under another name and with settings of the project. */
function ownSettings(name: string, custom: BuiltInKind): CatalogEntry {
  const { signIn: _, ...entry } = BUILT_IN.find((each) => each.name === custom.kind) as CatalogEntry;
  const isExec = custom.kind === 'codex' && custom.transport === 'exec';
  return {
    ...entry,
    name,
    ...(isExec && { capabilities: CODEX_EXEC_CAPABILITIES }),
    ...(custom.command !== undefined && { program: ownProgram(name, custom.command) }),
  };
}

const ownProgram = (name: string, command: string): ProgramNeed => ({
  command,
  install: `Install it, or correct \`providers.${name}.command\` in cuebook.yaml.`,
});

const CUSTOM = {
  acp: { title: 'An agent over the Agent Client Protocol', capabilities: ACP_CAPABILITIES },
  line: { title: 'A program over the line protocol', capabilities: LINE_CAPABILITIES },
  raw: { title: 'A program, words in and words out', capabilities: RAW_CAPABILITIES },
} as const;
