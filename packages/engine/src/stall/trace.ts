import { createHash } from 'node:crypto';
import type { JsonValue } from '@cuebook/prompt';
import type { NativeUse } from '../conversation/outcome.js';
import type { CallState } from '../tool-loop/calls.js';
import { clipText, clipWords } from '../tool-loop/clip.js';
import { effectiveInput } from '../tool-loop/next-calls.js';
import { isErrorResult } from '../tool-loop/result.js';
import { foldCommands, hasCommand } from './command-words.js';
import { countsOf, figuresOf, foldMoments, isLog, normalise } from './normalise.js';
import { shareOf } from './progress.js';
import { dropEcho, dropVolatile, namesOf, pauseOf } from './volatile.js';

/** What one turn heard, said and did, as far as it matters for telling whether anything moved. */
export interface Observed {
  readonly turn: number;
  /** Who took the turn, where several do: a node. */
  readonly actor?: string;
  readonly text: string;
  /** Words of others that the turn was told: what another node handed over. */
  readonly heard?: readonly string[];
  readonly calls?: readonly ObservedCall[];
  /** A hash of what the turn changed in the world, such as its diff; left out when it changed nothing. */
  readonly effect?: string;
  /** What a check of the work said: its failure, or `null` when it passed. Left out: nothing was checked. */
  readonly verification?: string | null;
}

export interface ObservedCall {
  readonly tool: string;
  /** Left out: nobody knows it. */
  readonly input?: JsonValue;
  readonly output: string;
  readonly failed: boolean;
  /** Where a number that differs is something new; left out: in the answer. */
  readonly numbers?: Numbers;
  /** So many equal answers of this tool in a row are no stall. */
  readonly poll?: number;
}

/**
 * `answer`: of a tool that reads, numbers in what it brings. `arguments`: of one that may write where nobody sees it,
 * numbers in what it is given; its acknowledgements may count up by themselves. `seen`: of one that may write where it
 * is seen as the effect of the turn, beside what nobody sees. `none`: of one that passes words on.
 */
export type Numbers = 'answer' | 'arguments' | 'seen' | 'none';

/** A call of ours as it ended. */
export const observeCall = (
  call: CallState,
  { result = call.result, ...how }: Pick<ObservedCall, 'numbers' | 'poll'> & Pick<CallState, 'result'>,
): ObservedCall => ({
  tool: call.name,
  input: effectiveInput(call),
  output: result?.text ?? '',
  failed: result === undefined || isErrorResult(result),
  ...how,
});

/** What an agent did by itself in a turn; its arguments are not known, what it wrote is seen in the effect. */
export const observeNative = (native: readonly NativeUse[] = []): readonly ObservedCall[] =>
  native.map(({ name, output = '', isError = false }) => ({
    tool: name,
    output,
    failed: isError,
  }));

/** The same as short hashes: what is kept, and what evidence shows. */
export type Trace = {
  readonly turn: number;
  readonly actor?: string;
  /** `null`: nothing was said. */
  readonly output: string | null;
  readonly heard?: readonly string[];
  readonly calls: readonly CallTrace[];
  readonly effect?: string;
  readonly verification?: string | null;
  /** What was done, with what came of it, by whom; what was said, where nothing was done. */
  readonly print: string;
  readonly sample: string;
};

export type CallTrace = {
  /** Tool and arguments, to the letter but for what is volatile; left out where the arguments are not known. */
  readonly key?: string;
  /** The same without blanks, cases and counters that name nothing: `n: 3`. */
  readonly named?: string;
  /** Tool and answer, to the letter but for what is volatile and what repeats the arguments. */
  readonly bytes: string;
  /** The numbers that stand alone in the answer, but for what is volatile. */
  readonly figures: string;
  /** The first of these numbers, as they stand. */
  readonly counts: readonly number[];
  /** The answer is lines that tell each its own time. */
  readonly log?: true;
  /** The arguments are a shell command: it may look as well as write. */
  readonly shell?: true;
  /** Tool, arguments and answer, without any number or id. */
  readonly print: string;
  readonly tool?: string;
  readonly failed: boolean;
  readonly numbers?: Numbers;
  readonly poll?: number;
  /** How much of something is done, by the answer: from 0 to 1. */
  readonly share?: number;
  /** How long the arguments say to wait, as they count it. */
  readonly pause?: number;
  readonly sample: string;
};

export function traceTurn(observed: Observed): Trace {
  const said = normalise(observed.text);
  const output = said === '' ? null : hash(said);
  const calls = (observed.calls ?? []).map(traceCall);
  const heard = (observed.heard ?? []).map((text) => hash(normalise(text)));
  const done = {
    ...(observed.actor === undefined ? {} : { actor: observed.actor }),
    ...(observed.effect === undefined ? {} : { effect: clipText(observed.effect, 100) }),
    ...(observed.verification === undefined ? {} : { verification: failureHash(observed.verification) }),
  };
  const isWords = calls.length === 0 && done.effect === undefined && done.verification === undefined;
  const print = hash(
    JSON.stringify({ ...done, calls: calls.map((call) => call.print), ...(isWords ? { output } : {}) }),
  );
  return {
    turn: observed.turn,
    ...done,
    output,
    ...(heard.length === 0 ? {} : { heard }),
    calls,
    print,
    sample: sampleOf(observed),
  };
}

function traceCall({ tool, input, output, failed, numbers, poll }: ObservedCall): CallTrace {
  const args = input === undefined ? '' : dropVolatile(sortedJson(foldCommands(input)), tool, 'arguments');
  const answer = dropVolatile(sortedAnswer(output), tool);
  const share = failed ? undefined : shareOf(output);
  const pause = input === undefined ? undefined : pauseOf(input);
  return {
    tool: hash(tool),
    ...(input === undefined ? {} : { key: hash(`${tool} ${args}`), named: hash(`${tool} ${namesOf(args)}`) }),
    bytes: hash(`${tool} ${foldMoments(dropEcho(answer, args))}`),
    figures: hash(figuresOf(answer)),
    counts: countsOf(answer),
    print: hash(`${tool} ${normalise(args)} ${failed} ${normalise(answer)}`),
    failed,
    ...(numbers === undefined ? {} : { numbers }),
    ...(poll === undefined ? {} : { poll }),
    ...(isLog(answer) ? { log: true } : {}),
    ...(hasCommand(input) ? { shell: true } : {}),
    ...(share === undefined ? {} : { share }),
    ...(pause === undefined ? {} : { pause }),
    sample: clipWords(`${tool}: ${output}`, SAMPLE),
  };
}

/** An answer in JSON, with its keys in one order. */
function sortedAnswer(output: string): string {
  if (!/^\s*[{[]/.test(output)) return output;
  try {
    return sortedJson(JSON.parse(output) as JsonValue);
  } catch {
    return output; // Words, not JSON.
  }
}

/** The same for every order of keys, unless it is deeper than the stack. */
function sortedJson(input: JsonValue): string {
  try {
    return JSON.stringify(input, sortKeys);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return JSON.stringify(input);
  }
}

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const failureHash = (failure: string | null): string | null =>
  failure === null ? null : hash(normalise(failure));

const sampleOf = ({ text, calls = [] }: Observed): string =>
  clipWords(text.trim() === '' ? calls.map(({ tool }) => tool).join(', ') : text.trim(), SAMPLE);

/** Characters of a text that evidence shows. */
const SAMPLE = 160;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
