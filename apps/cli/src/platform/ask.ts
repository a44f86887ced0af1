import type { Scenario } from '@cuebook/bundle';
import { scenarioProfileOf } from '@cuebook/bundle/profiles';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { openBench } from '../project/bench.js';
import { composeWith, requireTarget } from '../project/target.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { speakOnce } from '../run/one-turn.js';
import { openVoices } from '../run/voice.js';

/**
 * Asks a model in a scenario of the platform, in the version that is assigned, on the record of the project. An answer that breaks its contract is asked
 * for once more and then refused.
 */
export async function askScenario(
  call: Call,
  scenario: Scenario,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const { flags, io } = call;
  const opened = await openBench(flags, io);
  const listed = scenarioProfileOf(async () => [scenario]);
  const profiles = opened.profiles.map((each) => (each.prefix === listed.prefix ? listed : each));
  const called = await requireTarget({ ...opened, profiles }, `scenario:${scenario.id}#${scenario.version}`);
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
