import type { TextSource } from '@cuebook/files';
import { CONFIG_FILE, type Loaded } from '@cuebook/profile';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import type { LimitsInput } from '../run/limits.js';
import { limitsSchema } from './schema.js';

const schema = z.looseObject({
  team: z.strictObject({ limits: limitsSchema.default({}) }).default({ limits: {} }),
});

/** What cuebook.yaml says of the limits of all team runs, under `team.limits`. Without the file: nothing. */
export async function readProjectLimits(project: TextSource): Promise<Loaded<LimitsInput>> {
  const none = { ok: true, value: {}, diagnostics: [] } as const;
  const text = await project.readText(CONFIG_FILE);
  // A file that cannot be read is told by whoever reads the providers from it.
  if (!text.ok) return none;
  const yaml = readYaml(CONFIG_FILE, text.value, 'E_CONFIG');
  if (!yaml.ok) return yaml;
  if (yaml.value.value === null) return none;
  const shaped = readShape(yaml.value, schema, 'E_CONFIG');
  return shaped.ok ? { ...shaped, value: shaped.value.team.limits } : shaped;
}
