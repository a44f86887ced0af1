import { pathToFileURL } from 'node:url';
import type { CatalogServers } from '@cuebook/define';
import type { TextSource } from '@cuebook/files';
import { type AnyProfile, CONFIG_FILE } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import type { ServersConfig, ServersOffer } from '@cuebook/provider/servers';
import type { Io } from '../io.js';
import type { Bench } from './bench.js';
import { sha256 } from './hash.js';
import { homeFolder } from './home.js';

/** The MCP servers that a project names; nothing of them is asked. */
export async function namedServers(project: TextSource): Promise<CatalogServers> {
  const { config, diagnostics } = await serversConfig(project);
  return { names: Object.keys(config), asked: [], tools: [], diagnostics };
}

/** Targets that list tools of MCP servers in a file of their own kind; workflows have a bench of theirs. */
export const listsServers = (target: string): boolean => /^(?:prompt|agent|team):/.test(target);

/**
 * The bench to compose a definition or a team on as it is sent: MCP servers whose tools its prompt or its nodes list are
 * asked for them, once.
 */
export async function servedBench(bench: Bench, io: Pick<Io, 'env' | 'cwd'>): Promise<Bench> {
  const { folder } = bench;
  const servers = asking(bench, io);
  const has = (...kinds: readonly string[]) => bench.profiles.some(({ prefix }) => kinds.includes(prefix));
  const defined = has('prompt', 'agent')
    ? (await import('@cuebook/define')).createDefineProfiles({
        ...{ folder: pathToFileURL(`${folder}/`).href, servers },
      })
    : undefined;
  const teams = has('team')
    ? (await import('@cuebook/team/profiles')).warnedProfiles({
        ...{ home: homeFolder(folder, io), hash: sha256, env: io.env, servers },
      })
    : undefined;
  const served: Readonly<Record<string, AnyProfile | undefined>> = {
    ...{ prompt: defined?.prompt, agent: defined?.agent, team: teams?.team },
  };
  return { ...bench, profiles: bench.profiles.map((each) => served[each.prefix] ?? each) };
}

/** Asks servers for their tools, the same ones once. */
function asking({ folder, redactor }: Bench, io: Pick<Io, 'env' | 'cwd'>) {
  const known = new Map<string, Promise<CatalogServers & ServersOffer>>();
  const ask = async (project: TextSource, wanted: readonly string[]) => {
    const { config, diagnostics } = await serversConfig(project);
    const { askServers } = await import('@cuebook/provider/servers');
    const { projectLogins } = await import('./logins.js');
    const offer = await askServers(config, wanted, {
      ...{ env: io.env, cwd: folder, redactor },
      logins: projectLogins(folder, io),
    });
    return { ...offer, diagnostics: [...diagnostics, ...offer.diagnostics] };
  };
  return async (project: TextSource, wanted: readonly string[]): Promise<CatalogServers & ServersOffer> => {
    if (wanted.length === 0) return { ...(await namedServers(project)), tools: [] };
    const key = wanted.join();
    const asked = known.get(key) ?? ask(project, wanted);
    known.set(key, asked);
    return asked;
  };
}

/** The servers that a project names, and what is wrong with how it does. */
export async function serversConfig(project: Pick<TextSource, 'readText'>): Promise<{
  readonly config: ServersConfig;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { readServers } = await import('@cuebook/provider/servers');
  const text = await project.readText(CONFIG_FILE);
  const read = text.ok ? readServers(text.value, CONFIG_FILE) : undefined;
  return { config: read?.ok ? read.value : {}, diagnostics: read?.ok === false ? read.error : [] };
}
