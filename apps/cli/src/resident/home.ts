import { hint } from '@cuebook/prompt/hint';
import { AGENT_FILE, type AgentFile, readAgentFile } from '@cuebook/resident';
import type { Call } from '../command.js';
import { diagnosed, Failure } from '../failure.js';
import { type Bench, openBench } from '../project/bench.js';
import { requireFile } from '../project/named-file.js';

/** An agent of this machine: its folder, and what `agent.yaml` says. */
export interface AgentHome {
  readonly bench: Bench;
  readonly file: AgentFile;
}

/** The agent whose folder the call works on. */
export async function requireAgent({ flags, io }: Call): Promise<AgentHome> {
  const bench = await openBench(flags, io).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'E_NO_PROJECT') throw noAgent();
    throw error;
  });
  const text = await bench.files.readText(AGENT_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') throw noAgent();
  const read = readAgentFile(requireFile(text, AGENT_FILE));
  if (!read.ok) throw diagnosed(read.diagnostics);
  return { bench, file: read.value };
}

const noAgent = (): Failure =>
  new Failure(
    'E_AGENT_FILE',
    `No agent lives in this folder: there is no ${AGENT_FILE}. ${hint`agent init FILE`} makes one from the invitation that ${hint`platform invite NAME`} wrote; without FILE it asks.`,
  );
