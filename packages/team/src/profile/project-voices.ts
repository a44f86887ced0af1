import { describeFileError, type TextSource } from '@cuebook/files';
import { CONFIG_FILE, type Loaded } from '@cuebook/profile';
import type { ServersOffer } from '@cuebook/provider/servers';
import type { FirstPrompt } from './first-prompt.js';

/** What prompts depend on beside the project. */
export interface PromptEnvironment {
  /** `CUEBOOK_<PROVIDER>_NATIVE_TOOLS` and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks MCP servers of the project what they offer. Left out: nobody asks, and no tool of theirs is shown. */
  readonly servers?: (project: TextSource, wanted: readonly string[]) => Promise<Omit<ServersOffer, 'names'>>;
}

/** A source together with how the first prompts of its nodes are composed. */
export type WithFirstPrompt<Source> = Source & { readonly firstPrompt: FirstPrompt };

/**
 * How first prompts are composed in a project: with its own providers, as a run does. What running takes is loaded only
 * here, so that commands that show no prompt of a team start without it.
 */
export async function readFirstPrompt(
  project: TextSource,
  { env }: PromptEnvironment,
): Promise<Loaded<FirstPrompt>> {
  const { NO_CONFIG, readProviderConfig } = await import('@cuebook/provider');
  const text = await project.readText(CONFIG_FILE);
  if (!text.ok && text.error.code !== 'E_FILE_NOT_FOUND') {
    const { code } = text.error;
    const message = describeFileError(text.error);
    return { ok: false, diagnostics: [{ code, severity: 'error', message, file: CONFIG_FILE }] };
  }
  const config = text.ok
    ? readProviderConfig(text.value, CONFIG_FILE)
    : { ok: true as const, value: NO_CONFIG };
  if (!config.ok) return { ok: false, diagnostics: config.error };
  const { createFirstPrompt } = await import('./first-prompt.js');
  return { ok: true, value: createFirstPrompt({ config: config.value, env }), diagnostics: [] };
}

/** What was loaded, whole or in part, with what it is shown by. */
export function shownAs<Source, Shown>(
  loaded: Loaded<Source>,
  show: (source: Source) => Shown,
): Loaded<Shown> {
  if (loaded.ok) return { ...loaded, value: show(loaded.value) };
  const { diagnostics, partial } = loaded;
  return { ok: false, diagnostics, ...(partial === undefined ? {} : { partial: show(partial) }) };
}
