import {
  canonicalBytes,
  readJson,
  readLibrary,
  SCENARIOS,
  type Scenario,
  SHIPPED_VERSIONS,
  scenarioSchema,
} from '@cuebook/bundle';
import type { FileError, Files } from '@cuebook/files';
import { ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { OfflineTrust, PlatformParts } from '../desk.js';

/** The words that were signed when the platform was founded: a newer Cuebook may ship others. */
const PATH = 'trust/templates.json';

/** Keeps the words beside the list that was signed of them. */
export async function saveTemplates(
  files: Files,
  templates: readonly Scenario[],
): Promise<Result<void, FileError>> {
  const made = await files.makeDirectory('trust');
  if (!made.ok) return made;
  const written = await files.writeBytes(
    PATH,
    canonicalBytes(templates.map((each) => ({ ...each }))) as Buffer,
  );
  return written.ok ? ok(undefined) : written;
}

/** The versions that the list of the founding has, word for word, and those of them that are assigned at first. */
export async function readTemplates(
  files: Files,
  { targets, library }: OfflineTrust,
): Promise<Pick<PlatformParts, 'active' | 'library'>> {
  const bytes = await files.readBytes(PATH, { limit: LIMIT });
  const read = bytes.ok ? readJson(bytes.value, { bytes: LIMIT }) : undefined;
  const kept = z.array(scenarioSchema).safeParse(read?.ok ? read.value : []);
  const signed = readLibrary(targets, library.bytes);
  const lists = (scenario: Scenario): boolean => !signed.ok || signed.value.lists(scenario);
  const known = [...(kept.success ? kept.data : []), ...SHIPPED_VERSIONS] as readonly Scenario[];
  const listed = new Map<string, Scenario>();
  for (const scenario of known.filter(lists)) {
    const name = `${scenario.id}@${scenario.version}`;
    if (!listed.has(name)) listed.set(name, scenario);
  }
  const all = [...listed.values()];
  const first = (scenario: Scenario): boolean =>
    !all.some(({ id, version }) => id === scenario.id && version < scenario.version);
  return { library: all, active: inShippedOrder(all.filter(first)) };
}

/** As Cuebook lists them, others after them. */
const inShippedOrder = (scenarios: readonly Scenario[]): readonly Scenario[] => {
  const order = [...SCENARIOS.keys()];
  const place = ({ id }: Scenario): number => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...scenarios].sort((a, b) => place(a) - place(b));
};

const LIMIT = 4 * 1024 * 1024;
