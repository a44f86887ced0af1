/**
 * Whether an agent uses its own tools for files and commands. Claude, Codex and Gemini always do; for any other
 * `CUEBOOK_<PROVIDER>_NATIVE_TOOLS` says so, and without it Cuebook carries out all tools.
 */
export function usesNativeTools(
  provider: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): boolean {
  if (ALWAYS.has(provider)) return true;
  const name = provider.toUpperCase().replace(/[^A-Z0-9]/g, '_');
  return environment[`CUEBOOK_${name}_NATIVE_TOOLS`] === 'provider';
}

const ALWAYS: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini']);
