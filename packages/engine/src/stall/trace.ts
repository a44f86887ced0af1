import { createHash } from 'node:crypto';
import type { JsonValue } from '@cuebook/prompt';
import { clipText } from '../tool-loop/clip.js';
import { normalise } from './normalise.js';

/** What one turn said and did, as far as it matters for telling whether anything moved. */
export interface Observed {
  readonly turn: number;
  /** Who took the turn, where several do: a node. */
  readonly actor?: string;
  readonly text: string;
  readonly calls?: readonly ObservedCall[];
  /** A hash of what the turn changed in the world, such as its diff; left out when it changed nothing. */
  readonly effect?: string;
  /** What a check of the work said: its failure, or `null` when it passed. Left out: nothing was checked. */
  readonly verification?: string | null;
}

export interface ObservedCall {
  readonly tool: string;
  readonly input: JsonValue;
  readonly output: string;
  readonly failed: boolean;
  /** So many equal answers of this tool in a row are no stall. */
  readonly poll?: number;
}

/** The same as short hashes over normalised text: what is kept, and what evidence shows. */
export type Trace = {
  readonly turn: number;
  readonly actor?: string;
  /** `null`: nothing was said. */
  readonly output: string | null;
  readonly calls: readonly CallTrace[];
  readonly effect?: string;
  readonly verification?: string | null;
  /** Over all of the above but `turn`. */
  readonly print: string;
  readonly sample: string;
};

export type CallTrace = {
  /** Tool and arguments. */
  readonly key: string;
  /** Tool, arguments and answer. */
  readonly print: string;
  readonly failed: boolean;
  readonly poll?: number;
  readonly sample: string;
};

export function traceTurn(observed: Observed): Trace {
  const said = normalise(observed.text);
  const facts = {
    ...(observed.actor === undefined ? {} : { actor: observed.actor }),
    output: said === '' ? null : hash(said),
    calls: (observed.calls ?? []).map(traceCall),
    ...(observed.effect === undefined ? {} : { effect: clipText(observed.effect, 100) }),
    ...(observed.verification === undefined ? {} : { verification: failureHash(observed.verification) }),
  };
  const print = hash(JSON.stringify({ ...facts, calls: facts.calls.map((call) => call.print) }));
  return { turn: observed.turn, ...facts, print, sample: sampleOf(observed) };
}

function traceCall({ tool, input, output, failed, poll }: ObservedCall): CallTrace {
  const key = hash(`${tool} ${normalise(JSON.stringify(input))}`);
  return {
    key,
    print: hash(`${key} ${failed} ${normalise(output)}`),
    failed,
    ...(poll === undefined ? {} : { poll }),
    sample: clipText(`${tool}: ${output}`, SAMPLE),
  };
}

const failureHash = (failure: string | null): string | null =>
  failure === null ? null : hash(normalise(failure));

const sampleOf = ({ text, calls = [] }: Observed): string =>
  clipText(text.trim() === '' ? calls.map(({ tool }) => tool).join(', ') : text.trim(), SAMPLE);

/** Characters of a text that evidence shows. */
const SAMPLE = 160;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
