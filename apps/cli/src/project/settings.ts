import type { Files } from '@cuebook/files';
import { CONFIG_FILE } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { NO_SETTINGS, readWorkflowSettings, type WorkflowSettings } from '@cuebook/workflow/profiles';
import { readYaml } from '@cuebook/yaml';

/** What the configuration says about kinds of runs, whether the project has any of them, and what is wrong with it. */
export interface LookedSettings {
  readonly workflow: WorkflowSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks at every part of the configuration. Most projects name no provider, and then nobody is loaded. */
export async function lookAtSettings(files: Files): Promise<LookedSettings> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok) return { workflow: NO_SETTINGS, diagnostics: [] };
  const yaml = readYaml(CONFIG_FILE, text.value, 'E_CONFIG');
  const written = Object((yaml.ok ? yaml.value : yaml.rest)?.value ?? {}) as object;
  const diagnostics: Diagnostic[] = [];
  let workflow = NO_SETTINGS;
  if (Object.hasOwn(written, 'workflow')) {
    const read = readWorkflowSettings(text.value, CONFIG_FILE);
    if (read.ok) workflow = read.value;
    else diagnostics.push(...read.error);
  }
  if (PROVIDER_KEYS.some((key) => Object.hasOwn(written, key))) {
    const { readProviders } = await import('./providers.js');
    const read = await readProviders(files);
    if (!read.ok) diagnostics.push(...read.error);
  }
  return { workflow, diagnostics };
}

const PROVIDER_KEYS = ['provider', 'providers', 'prices', 'telemetry'];
