import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { openBench } from '../project/bench.js';
import { composeWith, requireTarget } from '../project/target.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { speakOnce } from '../run/one-turn.js';
import { openVoices } from '../run/voice.js';

/**
 * Asks a model in a scenario of the platform, on the record of the project. An answer that breaks its contract is asked
 * for once more and then refused.
 */
export async function askScenario(
  call: Call,
  scenario: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const { flags, io } = call;
  const called = await requireTarget(await openBench(flags, io), `scenario:${scenario}`);
  const prompt = await composeWith(called, { set: values });
  await openVoices(called.bench, call);
  const { bench, text: target, profile } = called;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const turn = { call, bench, journal, target, prompt, judge: profile.judge };
    const { run, status, text, error, reason } = await speakOnce(turn);
    if (status === 'done') return text;
    const { code = 'E_AGENT_TURN', message = `The turn ended: ${reason}.` } = error ?? {};
    throw new Failure(code, `${message} The record is ${run}.`, { exit: 1 });
  });
}
