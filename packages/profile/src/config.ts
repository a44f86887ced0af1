import { describeFileError, type TextSource } from '@cuebook/files';
import { z } from 'zod';
import { hiddenText } from './hidden-text.js';
import type { Loaded } from './profile.js';
import { readShape } from './yaml-shape.js';
import { readYaml } from './yaml-source.js';

/** Where a project says what is private about it. */
export const CONFIG_FILE = 'cuebook.yaml';

const schema = z.strictObject({
  /** Further roots, by mount alias. */
  roots: z
    .record(z.string().regex(/^@[A-Za-z][\w-]*$/, 'an alias is written @name'), z.string().min(1))
    .default({}),
  /** Path prefixes that must never be named. */
  private: z.array(z.string().min(1)).default([]),
  /** User and host names that must never be named. */
  names: z.array(z.string().min(1)).default([]),
  /** Path prefixes that look private but may be told, such as the home of a sandbox. */
  public: z.array(z.string().min(1)).default([]),
  /** Who speaks, and for how much: read and checked by `@cuebook/provider`. */
  provider: z.unknown().optional(),
  providers: z.unknown().optional(),
  prices: z.unknown().optional(),
  /** What the agents of workflows may do: read and checked by `@cuebook/workflow`. */
  workflow: z.unknown().optional(),
  /** What bounds the runs of teams: read and checked by `@cuebook/team`. */
  team: z.unknown().optional(),
});

export type ProjectConfig = z.infer<typeof schema>;

/** The project's configuration; a project without the file has none to speak of. */
export async function loadConfig(project: TextSource): Promise<Loaded<ProjectConfig>> {
  const text = await project.readText(CONFIG_FILE);
  if (!text.ok) {
    if (text.error.code === 'E_FILE_NOT_FOUND') return { ok: true, value: schema.parse({}), diagnostics: [] };
    const { code } = text.error;
    return {
      ok: false,
      diagnostics: [{ code, severity: 'error', message: describeFileError(text.error), file: CONFIG_FILE }],
    };
  }
  const yaml = readYaml(CONFIG_FILE, text.value, 'E_CONFIG');
  if (!yaml.ok) return yaml;
  const hidden = hiddenText(CONFIG_FILE, text.value);
  if (yaml.value.value === null) return { ok: true, value: schema.parse({}), diagnostics: hidden };
  const shaped = readShape(yaml.value, schema, 'E_CONFIG');
  return { ...shaped, diagnostics: [...shaped.diagnostics, ...hidden] };
}
