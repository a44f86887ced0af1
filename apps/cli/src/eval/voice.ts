import type { Call } from '../command.js';
import { usage } from '../failure.js';
import type { TestCase } from '../prompt-test/case-file.js';
import { namesVoice } from '../run/note.js';

/** The call with who answers: whom it names, and else whom its cases name. All takes of an eval have one voice. */
export function voicedCall(call: Call, tests: readonly Pick<TestCase, 'provider' | 'model'>[]): Call {
  if (namesVoice(call.flags)) return call;
  const voices = new Map(
    tests.map(({ provider, model }) => [JSON.stringify([provider, model]), { provider, model }] as const),
  );
  const [voice, other] = [...voices.values()];
  if (other !== undefined)
    throw usage('The cases name different models: say with --provider and --model who answers all of them');
  const { provider, model } = voice ?? {};
  return {
    ...call,
    flags: {
      ...call.flags,
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    },
  };
}
