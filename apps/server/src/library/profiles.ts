import { pathToFileURL } from 'node:url';
import type { AnyProfile } from '@cuebook/profile';
import type { Library } from './library.js';

/** The profiles of targets that a project can have, each loaded when it is wanted. */
const LOADERS: Readonly<Record<string, (library: Library) => Promise<AnyProfile>>> = {
  sheet: async () => (await import('@cuebook/sheet')).sheetProfile,
  role: async (library) => (await ofTeams(library)).role,
  team: async (library) => (await ofTeams(library)).team,
  prompt: async (library) => (await defined(library)).prompt,
  agent: async (library) => (await defined(library)).agent,
  manifest: async () => (await import('@cuebook/manifest')).manifestProfile,
  workflow: async (library) => (await import('@cuebook/workflow')).hostedWorkflows(library),
  scenario: async () => (await import('@cuebook/bundle/profiles')).scenarioProfile,
};

/** Kinds whose targets are made by code of the project: that runs only when one of them is asked for. */
export const isMadeByCode = (kind: string): boolean => kind === 'prompt' || kind === 'agent';

/** The kinds of targets, in the order that they are listed. */
export const KINDS: readonly string[] = Object.keys(LOADERS);

/** The profile of a kind. Definitions are loaded anew each time: their files may have changed. */
export const profileOf = async (kind: string, library: Library): Promise<AnyProfile | undefined> =>
  Object.hasOwn(LOADERS, kind) ? LOADERS[kind]?.(library) : undefined;

/** The profiles by which targets are listed: what is written is read, and no code of the project runs. */
export async function listingProfiles(library: Library): Promise<readonly AnyProfile[]> {
  const { createDefineProfiles } = await import('@cuebook/define');
  const read = createDefineProfiles({ names: 'read' });
  const found = KINDS.map((kind) =>
    kind === 'prompt' ? read.prompt : kind === 'agent' ? read.agent : LOADERS[kind]?.(library),
  );
  return (await Promise.all(found)).filter((each) => each !== undefined);
}

async function defined({ folder }: Library) {
  const { createDefineProfiles } = await import('@cuebook/define');
  return createDefineProfiles({ folder: pathToFileURL(`${folder}/`).href });
}

async function ofTeams({ homeFolder, hash, env }: Library) {
  const { warnedProfiles } = await import('@cuebook/team/profiles');
  return warnedProfiles({ home: homeFolder, hash, env });
}
