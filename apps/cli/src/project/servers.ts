import { pathToFileURL } from 'node:url';
import type { CatalogServers } from '@cuebook/define';
import type { TextSource } from '@cuebook/files';
import { CONFIG_FILE } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import type { ServersConfig } from '@cuebook/provider/servers';
import type { Io } from '../io.js';
import type { Bench } from './bench.js';

/** The MCP servers that a project names; nothing of them is asked. */
export async function namedServers(project: TextSource): Promise<CatalogServers> {
  const { config, diagnostics } = await serversConfig(project);
  return { names: Object.keys(config), asked: [], tools: [], diagnostics };
}

/** The bench to compose a definition on as it is sent: MCP servers whose tools its prompt lists are asked for them, once. */
export async function servedBench(bench: Bench, io: Pick<Io, 'env' | 'cwd'>): Promise<Bench> {
  const { createDefineProfiles } = await import('@cuebook/define');
  const { folder, redactor } = bench;
  const known = new Map<string, Promise<CatalogServers>>();
  const ask = async (project: TextSource, wanted: readonly string[]): Promise<CatalogServers> => {
    const { config, diagnostics } = await serversConfig(project);
    const { askServers } = await import('@cuebook/provider/servers');
    const { projectLogins } = await import('./logins.js');
    const offer = await askServers(config, wanted, {
      ...{ env: io.env, cwd: folder, redactor },
      logins: projectLogins(folder, io),
    });
    return { ...offer, diagnostics: [...diagnostics, ...offer.diagnostics] };
  };
  const own = createDefineProfiles({
    folder: pathToFileURL(`${folder}/`).href,
    servers: (project, wanted) => {
      if (wanted.length === 0) return namedServers(project);
      const key = wanted.join();
      const asked = known.get(key) ?? ask(project, wanted);
      known.set(key, asked);
      return asked;
    },
  });
  const profiles = bench.profiles.map((each) =>
    each.prefix === 'prompt' || each.prefix === 'agent' ? own[each.prefix] : each,
  );
  return { ...bench, profiles };
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
