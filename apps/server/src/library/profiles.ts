import { pathToFileURL } from 'node:url';
import type { TextSource } from '@cuebook/files';
import { type AnyProfile, CONFIG_FILE } from '@cuebook/profile';
import type { ServersConfig, ServersOffer } from '@cuebook/provider/servers';
import type { Library } from './library.js';

/** The profiles of targets that a project can have, each loaded when it is wanted. */
const LOADERS: Readonly<Record<string, (library: Library) => Promise<AnyProfile>>> = {
  sheet: async () => (await import('@cuebook/sheet')).sheetProfile,
  role: async (library) => (await ofTeams(library)).role,
  team: async (library) => (await ofTeams(library)).team,
  prompt: async (library) => (await defined(library)).prompt,
  agent: async (library) => (await defined(library)).agent,
  manifest: async () => (await import('@cuebook/manifest')).manifestProfile,
  workflow: async (library) => {
    const { unaskedServers } = await import('@cuebook/provider/servers');
    const { hostedWorkflows } = await import('@cuebook/workflow');
    const servers = async (config: ServersConfig) => unaskedServers(config, Object.keys(config));
    return hostedWorkflows(library, { servers });
  },
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
  return createDefineProfiles({ folder: pathToFileURL(`${folder}/`).href, servers: unasked });
}

async function ofTeams({ homeFolder, hash, env }: Library) {
  const { warnedProfiles } = await import('@cuebook/team/profiles');
  return warnedProfiles({ home: homeFolder, hash, env, servers: unasked });
}

/**
 * The library starts no program and calls no address because somebody looks at a page: servers are named, and whoever
 * looks is told that they were not asked.
 */
async function unasked(
  project: Pick<TextSource, 'readText'>,
  wanted: readonly string[],
): Promise<ServersOffer> {
  const { readServers, unaskedServers } = await import('@cuebook/provider/servers');
  const text = await project.readText(CONFIG_FILE);
  const read = text.ok ? readServers(text.value, CONFIG_FILE) : undefined;
  const offer = unaskedServers(read?.ok ? read.value : {}, wanted);
  return read?.ok === false ? { ...offer, diagnostics: read.error } : offer;
}
