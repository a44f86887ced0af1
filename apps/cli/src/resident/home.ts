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
  const bench = await openBench(flags, io);
  const text = await bench.files.readText(AGENT_FILE);
  if (!text.ok && text.error.code === 'E_FILE_NOT_FOUND') {
    throw new Failure(
      'E_AGENT_FILE',
      `No ${AGENT_FILE} here. ${hint`agent init`} writes it, from the invitation of a platform or from answers.`,
    );
  }
  const read = readAgentFile(requireFile(text, AGENT_FILE));
  if (!read.ok) throw diagnosed(read.diagnostics);
  return { bench, file: read.value };
}
