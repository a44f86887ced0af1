import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { type ReadYaml, readYaml } from '@cuebook/yaml';

/** In characters: no graph or list of agents that a person keeps comes near it. */
const MAX_JSON = 1024 * 1024;

/**
 * A JSON file that remembers where each value stands. JSON is YAML, so the places come from the YAML reader,
 * which also bounds depth and refuses a key that stands twice; the value comes from the JSON reader, so that
 * YAML that is no JSON is refused.
 */
export function readJson(file: string, text: string, code: string): ReadYaml {
  const refuse = (message: string, line?: number): ReadYaml => ({
    ok: false,
    diagnostics: [problem(file, code, message, line)],
  });
  if (guard('package.size', text.length > MAX_JSON)) {
    return {
      ok: false,
      diagnostics: [problem(file, 'E_PACKAGE_TOO_LARGE', `${file} has more than ${MAX_JSON} characters`)],
    };
  }
  const yaml = readYaml(file, text, code);
  try {
    const value: unknown = JSON.parse(text);
    if (yaml.ok) return { ok: true, value: { ...yaml.value, value }, diagnostics: [] };
    return yaml.rest === undefined ? yaml : { ...yaml, rest: { ...yaml.rest, value } };
  } catch (error) {
    if (!yaml.ok) return { ok: false, diagnostics: yaml.diagnostics };
    return refuse('The file is not valid JSON', lineOf(text, error));
  }
}

/** The reader tells an offset for most errors and none for some. */
function lineOf(text: string, error: unknown): number {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return at === undefined ? 1 : text.slice(0, Number(at)).split('\n').length;
}

const problem = (file: string, code: string, message: string, line?: number): Diagnostic => ({
  code,
  severity: 'error',
  message,
  file,
  ...(line === undefined ? {} : { line }),
});
