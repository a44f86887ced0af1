import { pathToFileURL } from 'node:url';
import type { AnyProfile } from '@cuebook/profile';
import { sha256 } from './hash.js';

/** Where the profiles work: without a folder they never run a project's code, as completion wants it. */
export interface ProfilePlace {
  readonly folder?: string;
  /** CUEBOOK_HOME. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The profiles of the kinds of targets that are named, each loaded only then; without names all of them. A new kind adds
 * its row here and in `table/inputs.ts`, and the rest follows.
 */
export async function profilesFor(
  place: ProfilePlace,
  kinds: readonly string[] = Object.keys(LOADERS),
): Promise<readonly AnyProfile[]> {
  const loaders = Object.entries(LOADERS).filter(([kind]) => kinds.includes(kind));
  // Kinds of one family share it, and with it what it has loaded of the project: starting its code takes long.
  const families = { defined: once(() => defined(place)), ofTeams: once(() => ofTeams(place)) };
  return Promise.all(loaders.map(([, load]) => load(families)));
}

/** The kind that a target names, where there is such a kind. */
export function kindOf(target: string): string | undefined {
  const [, kind = ''] = /^([a-z]+):/.exec(target) ?? [];
  return Object.hasOwn(LOADERS, kind) ? kind : undefined;
}

interface Families {
  readonly defined: () => ReturnType<typeof defined>;
  readonly ofTeams: () => ReturnType<typeof ofTeams>;
}

const LOADERS: Readonly<Record<string, (families: Families) => Promise<AnyProfile>>> = {
  sheet: async () => (await import('@cuebook/sheet')).sheetProfile,
  manifest: async () => (await import('@cuebook/manifest')).manifestProfile,
  prompt: async (families) => (await families.defined()).prompt,
  agent: async (families) => (await families.defined()).agent,
  role: async (families) => (await families.ofTeams()).role,
  team: async (families) => (await families.ofTeams()).team,
  workflow: async () => (await import('@cuebook/workflow/profiles')).workflowProfile,
  scenario: async () => (await import('@cuebook/bundle/profiles')).scenarioProfile,
};

async function defined({ folder }: ProfilePlace) {
  const { createDefineProfiles } = await import('@cuebook/define');
  return createDefineProfiles(
    folder === undefined
      ? { names: 'read' }
      : {
          folder: pathToFileURL(`${folder}/`).href,
          servers: async (project) => (await import('./servers.js')).namedServers(project),
        },
  );
}

async function ofTeams({ home, env }: ProfilePlace) {
  const { roleProfile, teamProfile, warnedProfiles } = await import('@cuebook/team/profiles');
  return home === undefined
    ? { role: roleProfile, team: teamProfile }
    : warnedProfiles({ home, hash: sha256, env });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
