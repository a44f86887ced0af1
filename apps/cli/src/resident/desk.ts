import { resolve } from 'node:path';
import { agentObjects, folderObjects, type Objects } from '@cuebook/bundle';
import { type Files, openFolder } from '@cuebook/files';
import { AGENT_FILE, connectPlatform, openDesk, type ResidentDesk } from '@cuebook/resident';
import { readNamedFile, requireFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';
import type { AgentHome } from './home.js';
import { requireAgentKey } from './key.js';

/** What the agent has at hand: its store, and its trust state in CUEBOOK_HOME. */
export async function openAgentDesk(agent: AgentHome, { home }: Journal): Promise<ResidentDesk> {
  const { bench, file } = agent;
  const { objects, floor } = await openAgentStore(agent, home);
  const root = Buffer.from(await readNamedFile(bench.folder, file.root));
  return openDesk({ agent: file.agent, root, log: file.log, objects, floor, files: home, path: TRUST_FILE });
}

interface AgentStore {
  readonly objects: Objects;
  /** The least version to accept, told by the platform. */
  readonly floor?: number;
}

/** A folder of this machine, or what the platform's credentials open. */
async function openAgentStore({ bench, file }: AgentHome, home: Files): Promise<AgentStore> {
  const { agent, platform: url, store, log: platform } = file;
  if (url === undefined) {
    const folder = await openFolder(resolve(bench.folder, store ?? ''));
    return { objects: folderObjects(requireFile(folder, `the store of ${AGENT_FILE}`)) };
  }
  const signer = await requireAgentKey(home);
  const connection = connectPlatform({ url, platform, agent, signer });
  const objects = agentObjects(connection, () => Date.now());
  // Who was admitted before comes back with a session; who was not answers the challenge that its owner opened. A
  // platform that lets nobody in leaves a store in which everything is denied: the last good state stays.
  const session = await connection.session();
  const entered = session.ok ? session : await connection.admit();
  return entered.ok && entered.value !== undefined ? { objects, floor: entered.value.floor } : { objects };
}

const TRUST_FILE = 'trust.json';
