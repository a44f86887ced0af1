import { resolve } from 'node:path';
import {
  AGENT_FILE,
  type AgentFile,
  folderObjects,
  openDesk,
  type ResidentDesk,
  readAgentFile,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import type { Call } from '../command.js';
import { diagnosed, Failure } from '../failure.js';
import { type Bench, openBench } from '../project/bench.js';
import { readNamedFile, requireFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';

/** An agent of this machine: its folder, and what `agent.yaml` says. */
export interface AgentHome {
  readonly bench: Bench;
  readonly file: AgentFile;
}

/** The agent whose folder the call works on. */
export async function requireAgent({ flags, io }: Call): Promise<AgentHome> {
  const bench = await openBench(flags, io);
  const text = await bench.files.readText(AGENT_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') {
    throw new Failure(
      'E_AGENT_FILE',
      `No ${AGENT_FILE} here. It names the agent, its store, the root that it trusts and the log; see docs/user/agents.md.`,
    );
  }
  const read = readAgentFile(requireFile(text, AGENT_FILE));
  if (!read.ok) throw diagnosed(read.diagnostics);
  return { bench, file: read.value };
}

/** What the agent has at hand: its store, and its trust state in CUEBOOK_HOME. */
export async function openAgentDesk({ bench, file }: AgentHome, { home }: Journal): Promise<ResidentDesk> {
  const at = (path: string) => resolve(bench.folder, path);
  const store = await openFolder(at(file.store));
  const objects = folderObjects(requireFile(store, `the store of ${AGENT_FILE}`));
  const root = Buffer.from(await readNamedFile(bench.folder, file.root));
  return openDesk({ agent: file.agent, root, log: file.log, objects, files: home, path: TRUST_FILE });
}

const TRUST_FILE = 'trust.json';
