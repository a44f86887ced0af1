import type { Provider } from '@cuebook/provider';

/**
 * That a provider does not take parameters that go with a prompt; undefined where it does, or where there are none. An
 * agent that is a program of its own sets them itself, and so nothing said with it has the certified preset.
 */
export function paramsNote(
  { name, kind }: Pick<Provider, 'name' | 'kind'>,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  const left = Object.entries(NAMES).flatMap(([param, said]) => (params[param] === undefined ? [] : [said]));
  if (kind !== 'cli' || left.length === 0) return undefined;
  return `${name} takes no ${left.join(', ')}: it uses its own settings, not those of the prompt.\n`;
}

const NAMES = { temperature: 'temperature', maxOutputTokens: 'max_tokens', topP: 'top_p' } as const;

/** The parameters of every certified preset. */
export const PRESET_PARAMS = { temperature: true, maxOutputTokens: true, topP: true } as const;
