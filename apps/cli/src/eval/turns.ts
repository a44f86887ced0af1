import { type AnsweredCall, answeredCalls } from '@cuebook/eval';
import type { ComposedTarget } from '@cuebook/profile';
import {
  type BlockInput,
  composeRequest,
  type GatedRequest,
  type OfferedTool,
  type Piece,
} from '@cuebook/prompt';
import { type Call, flagValue, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import type { Bench } from '../project/bench.js';
import type { TestCase } from '../prompt-test/case-file.js';
import { findCases } from '../prompt-test/find-cases.js';
import { replaceNamedFile } from '../record/named-output.js';
import { type RecordedTurn, recordedAfter, requireRecorded } from '../record/recorded-turn.js';

/** A request as a turn on record had it, in pieces again. */
export type ToldRequest = Pick<ComposedTarget, 'blocks' | 'tools' | 'params' | 'prompt' | 'request'>;

export interface RecordedCases {
  readonly tests: readonly TestCase[];
  readonly requests: ReadonlyMap<string, ToldRequest>;
  /** Of turns on record, the calls that their runs made behind them; only where agents are followed. */
  readonly answers: ReadonlyMap<string, readonly AnsweredCall[]>;
}

/**
 * Turns on record as cases: their own words, in pieces, composed again. One that does not come out as it was told, byte for
 * byte, is left out and named: nothing is claimed about it. Turns of one run are one cluster.
 */
export async function turnCases(call: Call, bench: Bench): Promise<RecordedCases> {
  const { args, flags, io } = call;
  if (flagValue(flags, 'base') !== undefined)
    throw usage('Turns on record are compared under --change, not --base');
  const evals = await metricsOf(call, bench);
  const tests: TestCase[] = [];
  const requests = new Map<string, ToldRequest>();
  const answers = new Map<string, readonly AnsweredCall[]>();
  for (const arg of args) {
    const found = await foundTurn(call, bench, arg);
    if (found === undefined || requests.has(found.name)) continue;
    const { name, request } = found;
    requests.set(name, request);
    if (found.answers !== undefined) answers.set(name, found.answers);
    tests.push({ name, target: name, file: '', line: 1, cluster: runOf(name), evals });
  }
  requireSome(tests);
  const file = flagValue(flags, 'save-cases');
  if (file !== undefined)
    await replaceNamedFile(io, file, new TextEncoder().encode(tests.map(rowOf).join('')));
  return { tests, requests, answers };
}

const runOf = (turn: string): string => turn.split('@')[0] as string;

/** A turn as a row of cases: its name and no word of it. What was private in the record stays there. */
const rowOf = ({ name, cluster }: TestCase): string =>
  `${JSON.stringify({ id: name, cluster, turn: name })}\n`;

/** Cases of files whose requests are turns on record, with those requests. */
export async function withTurns(
  call: Call,
  bench: Bench,
  tests: readonly TestCase[],
): Promise<RecordedCases> {
  const kept: TestCase[] = [];
  const requests = new Map<string, ToldRequest>();
  const answers = new Map<string, readonly AnsweredCall[]>();
  for (const test of tests) {
    if (test.turn === undefined) {
      kept.push(test);
      continue;
    }
    const found = await foundTurn(call, bench, test.turn);
    if (found === undefined) continue;
    requests.set(test.name, found.request);
    if (found.answers !== undefined) answers.set(test.name, found.answers);
    kept.push({ ...test, cluster: test.cluster ?? runOf(found.name) });
  }
  requireSome(kept);
  return { tests: kept, requests, answers };
}

/** A turn on record in pieces again; one that comes out otherwise is told, and is not one. */
async function foundTurn(call: Call, bench: Bench, turn: string): Promise<FoundTurn | undefined> {
  const recorded = await requireRecorded(call, turn);
  const request = againOf(recorded, bench);
  if (request !== undefined && isOn(call.flags, 'through')) {
    const later = await recordedAfter(call, recorded);
    return {
      ...{ name: recorded.name, request },
      answers: answeredCalls(
        request.blocks,
        later.map(({ turn: { request: told } }) => blocksOf(told)),
      ),
    };
  }
  if (request !== undefined) return { name: recorded.name, request };
  call.io.err(`E_COMPARE_DRIFT ${recorded.name} is left out: it does not come out as it was told\n`);
  return undefined;
}

interface FoundTurn {
  readonly name: string;
  readonly request: ToldRequest;
  readonly answers?: readonly AnsweredCall[];
}

function requireSome(tests: readonly TestCase[]): void {
  if (tests.length > 0) return;
  throw new Failure('E_COMPARE_DRIFT', 'No turn comes out as it was told, so nothing can be compared', {
    exit: 1,
  });
}

/** What is asked of the answers: a turn on record does not say it. */
async function metricsOf({ flags, io }: Call, bench: Bench): Promise<NonNullable<TestCase['evals']>> {
  const file = flagValue(flags, 'metrics');
  if (file === undefined) throw usage('Turns on record need --metrics FILE: a file of cases with metrics');
  const found = await findCases(bench.files, {
    named: [file],
    filter: undefined,
    folder: bench.folder,
    cwd: io.cwd,
  });
  if (found.diagnostics.length > 0) throw diagnosed(found.diagnostics);
  const evals = found.cases[0]?.evals;
  if (evals?.metrics === undefined) throw usage(`${file} has no metrics`);
  return evals;
}

function againOf(
  { turn: { request: told } }: RecordedTurn,
  { hash, redactor }: Bench,
): ToldRequest | undefined {
  const blocks = blocksOf(told);
  const [tools, params] = [told.tools as unknown as readonly OfferedTool[], told.params];
  const composed = composeRequest({ blocks, tools, params, hash, redactor });
  if (!composed.ok) return undefined;
  const request: GatedRequest = composed.value;
  const isSame =
    request.prompt.hash === told.prompt.hash &&
    JSON.stringify([request.tools, request.params]) === JSON.stringify([told.tools, told.params]);
  return isSame ? { blocks, tools, params, prompt: request.prompt, request } : undefined;
}

/** The blocks of a request on record, in pieces again. */
const blocksOf = ({ prompt }: RecordedTurn['turn']['request']): readonly BlockInput[] =>
  prompt.blocks.map(({ name, role, text, spans, hash: _, ...beside }): BlockInput => {
    const bytes = Buffer.from(text);
    const pieces = spans.map(
      ({ start, end, origin, trust, secrecy, volatility }): Piece => ({
        text: bytes.subarray(start, end).toString(),
        ...{ origin, trust, secrecy, volatility },
      }),
    );
    return { name, role, pieces, ...beside };
  });
