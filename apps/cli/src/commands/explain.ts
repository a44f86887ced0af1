import { type Explanation, explain, type Prompt } from '@cuebook/prompt';
import { isLive } from '../cluster/is-live.js';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { requirePlace } from '../input/place.js';
import { type Excerpt, excerptAt } from '../output/excerpt.js';
import { type ExplainAnswer, explanationText } from '../output/explanation-text.js';
import { printJson } from '../output/json.js';
import { shippedPath } from '../output/shipped-path.js';
import { shownPrompt } from '../output/shown-prompt.js';
import { styleFor } from '../output/style.js';
import { composeCalled, openCalled } from '../project/target.js';
import { isTurnName } from '../record/turn-name.js';

/** `cuebook explain`: where the words at a place come from. */
export const run: CommandHandler = async (call) => {
  const { answer } = await explainCall(call);
  const { io } = call;
  if (isOn(call.flags, 'json')) await printJson(io, answer);
  else await io.out(explanationText(answer, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return 0;
};

export interface Explained {
  readonly answer: ExplainAnswer;
  /** The project's folder. */
  readonly folder: string;
  /** The git revision that the words are of, where it is not the working tree. */
  readonly revision?: string | undefined;
  /** The words of a turn on record stand at their place in no commit, and in the file of now neither. */
  readonly isLost?: boolean;
}

/** Explains a place of a target, or of a turn on record; `blame` goes on from here. */
export async function explainCall(call: Call): Promise<Explained> {
  const explained = await explainPlace(call);
  const { origin } = explained.answer;
  const shipped = [origin, ...(origin.via ?? [])].find(({ ref }) => ref.startsWith('cuebook:'));
  const opens = shipped && shippedPath(shipped.ref, call.io.cwd);
  return opens === undefined ? explained : { ...explained, answer: { ...explained.answer, opens } };
}

async function explainPlace(call: Call): Promise<Explained> {
  const { args, flags, io } = call;
  if (isOn(flags, 'wire')) {
    const { explainBody } = await import('../wire/explain-wire.js');
    return explainBody(call);
  }
  if (isTurnName(args[0])) {
    const { explainTurn } = await import('../record/explain-turn.js');
    return explainTurn(call, args[0]);
  }
  if (isLive(call)) {
    const { explainLive } = await import('../cluster/explain-live.js');
    return explainLive(call);
  }
  const called = await openCalled(call);
  const { prompt, target } = await composeCalled(called, flags, io);
  const { folder } = called.bench;
  return { folder, revision: called.target.revision, answer: answerAt(call, target, prompt).answer };
}

/** An answer, and the words from its place to the end of the text that they come from. */
interface Placed {
  readonly answer: ExplainAnswer;
  readonly words: string;
  /** All of the text that has the same origin. */
  readonly text: string;
}

/** What stands at the place that `--at` names, counted in what is shown. */
export function answerAt({ flags }: Pick<Call, 'flags'>, target: string, truth: Prompt): Placed {
  const prompt = shownPrompt(truth, { reveal: isOn(flags, 'reveal') });
  const at = requirePlace(prompt, flagValue(flags, 'at') ?? '');
  const found = explain(prompt, at);
  if (found === undefined) throw new Failure('E_AT', `The prompt is empty, so no words are at ${at}`);
  // A mask is one thing: no place within it is another than its beginning.
  const isMask = prompt !== truth && found.span.secrecy !== 'public';
  const words = Buffer.from(found.text).subarray(found.offset).toString();
  const shown = excerptAt(prompt, isMask ? at - found.offset : at);
  return { answer: { target, ...toAnswer(found), ...shown }, words, text: found.text };
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
