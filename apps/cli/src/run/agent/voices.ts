import { openRunVoices, type RunVoices } from '@cuebook/host';
import { type Call, flagValue } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import { requireProviders } from '../../project/providers.js';
import { spokenOf } from '../note.js';
import { readScriptOf } from '../voice.js';

/** Who speaks, as the flags of a call say it. What is wrong with them is told before anything is written. */
export async function openAgentVoices(
  { files }: Bench,
  call: Pick<Call, 'flags' | 'io'>,
): Promise<RunVoices> {
  const config = await requireProviders(files);
  const script = await readScriptOf(call);
  const named = flagValue(call.flags, 'provider');
  if (script !== undefined && named !== undefined && named !== 'rehearsal')
    throw usage('--script is played by the rehearsal: leave --provider out');
  const voices = openRunVoices({ config, env: call.io.env }, await spokenOf(call));
  if (!voices.ok) throw new Failure(voices.error.code, voices.error.message);
  return voices.value;
}
