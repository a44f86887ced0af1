import { describeFileError, type TextSource } from '@cuebook/files';
import type { Diagnostic, Place } from '@cuebook/prompt';
import { readShape, readYaml, type YamlSource } from '@cuebook/yaml';
import { type CardDraft, cardDraftSchema } from './schema.js';

/** A draft and the file that it stands in. */
export interface CardFile {
  readonly draft: CardDraft;
  readonly place: Place;
  /** The file with its places; absent for a card that comes with Cuebook. */
  readonly yaml?: YamlSource;
}

/** The cards of a project by name, each read or with what is wrong with it. */
export type CardFiles = ReadonlyMap<
  string,
  | { readonly ok: true; readonly value: CardFile }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
>;

/** A project has as many as are looked at. */
export const MAX_CARDS = 1000;

/** The names of `cards/NAME.yaml`, sorted. */
export async function findCardNames(project: TextSource): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const path of project.walk('cards')) {
    const name = path.ok ? /^cards\/(.+)\.yaml$/.exec(path.value)?.[1] : undefined;
    if (name !== undefined) names.push(name);
    if (names.length === MAX_CARDS) break;
  }
  return names;
}

export async function loadCards(project: TextSource): Promise<CardFiles> {
  const names = await findCardNames(project);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await loadCard(project, name)] as const)),
  );
}

async function loadCard(project: TextSource, name: string) {
  const file = `cards/${name}.yaml`;
  const text = await project.readText(file);
  if (!text.ok) {
    const message = describeFileError(text.error);
    return {
      ok: false as const,
      diagnostics: [{ code: text.error.code, severity: 'error' as const, message, file }],
    };
  }
  const yaml = readYaml(file, text.value, 'E_CARD');
  if (!yaml.ok) {
    const rest = yaml.rest === undefined ? [] : readShape(yaml.rest, cardDraftSchema, 'E_CARD').diagnostics;
    return { ok: false as const, diagnostics: [...yaml.diagnostics, ...rest] };
  }
  const draft = readShape(yaml.value, cardDraftSchema, 'E_CARD');
  if (!draft.ok) return draft;
  return {
    ok: true as const,
    value: { draft: draft.value, place: { ref: file, line: 1, column: 1 }, yaml: yaml.value },
  };
}

/** The card that stands in where a project has none. */
export const SAMPLE_CARD: CardFile = {
  place: { ref: 'sample card' },
  draft: cardDraftSchema.parse({
    agent_id: 'sample_ada',
    name: 'Ada',
    description: 'Counts birds and writes about them.',
    personality: { extrovert: 0.7, curious: 0.9, creative: 0.6, stable: 0.5 },
    interests: ['birds', 'maps'],
    capabilities: ['field notes'],
    bio: 'Lives near the river.',
  }),
};
