import { type Explanation, explain } from '@cuebook/prompt';
import { type Call, flagValue, type Handler, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { requirePlace } from '../input/place.js';
import { type Excerpt, excerptAt } from '../output/excerpt.js';
import { type ExplainAnswer, explanationText } from '../output/explanation-text.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import type { Bench } from '../project/bench.js';
import { type CalledTarget, composeCalled, openCalled } from '../project/target.js';

/** `cuebook explain`: where the words at a place come from. */
export const run: Handler = async (call) => {
  const { answer } = await explainCall(call);
  const { io } = call;
  if (isOn(call.flags, 'json')) await printJson(io, answer);
  else await io.out(explanationText(answer, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return 0;
};

export interface Explained {
  readonly answer: ExplainAnswer;
  readonly bench: Bench;
  readonly called: CalledTarget;
}

/** Composes and explains; `blame` goes on from here. */
export async function explainCall(call: Call): Promise<Explained> {
  const { flags, io } = call;
  const called = await openCalled(call);
  const { prompt, target } = await composeCalled(called, flags, io);
  const at = requirePlace(prompt, flagValue(flags, 'at') ?? '');
  const found = explain(prompt, at);
  if (found === undefined) throw new Failure('E_AT', `The prompt is empty, so no words are at ${at}`);
  return {
    bench: called.bench,
    called,
    answer: { target, ...toAnswer(found), ...excerptAt(prompt, at, { reveal: isOn(flags, 'reveal') }) },
  };
}

function toAnswer({
  at,
  block,
  role,
  span,
  origin,
}: Explanation): Omit<ExplainAnswer, keyof Excerpt | 'target'> {
  const { start, end, trust, secrecy, volatility } = span;
  return { at, block, role, trust, secrecy, volatility, origin, span: { start, end } };
}
