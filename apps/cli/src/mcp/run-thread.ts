import type { JsonValue } from '@cuebook/prompt';
import { Failure } from '../failure.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { type OneRun, type RunAnswer, runOnce } from '../run/agent/one-run.js';
import type { ToldCall } from './call-tool.js';
import { type McpDesk, toClient } from './desk.js';
import { saidBy } from './get-prompt.js';

/** Runs a prompt for one step, or an agent until it has answered, as a tool: on record as a run of its own. */
export async function runThread(
  desk: McpDesk,
  of: OneRun['of'],
  args: JsonValue,
  signal: AbortSignal,
): Promise<ToldCall> {
  const { live, bench, variables, call } = desk;
  const prompt = of.kind === 'prompt' ? of.name : live.catalog.agents.get(of.name)?.data.sideA.prompt;
  const said = await saidBy(desk, prompt ?? '', args as Readonly<Record<string, JsonValue>>);
  if (!said.ok) return { output: `E_INPUT ${said.error}`, isError: true };
  const { flags, io } = call;
  try {
    const voices = await desk.voices();
    const env = variables.handed();
    let answer: RunAnswer | undefined;
    await withOpened(await journalPlace(flags, io), async (journal) => {
      answer = await runOnce({ call, bench, journal, live, voices, of, text: said.value ?? '', env, signal });
      return 0;
    });
    if (answer === undefined) return { output: 'E_INTERNAL The run has no answer', isError: true };
    const { report, text, isError } = answer;
    io.err(`${report.run} ${report.status}\n`);
    return { output: toClient(desk, text), ...(isError ? { isError } : {}) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { output: toClient(desk, `${error.code} ${error.message}`), isError: true };
  }
}
