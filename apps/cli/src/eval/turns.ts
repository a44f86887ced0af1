import type { ComposedTarget } from '@cuebook/profile';
import {
  type BlockInput,
  composeRequest,
  type GatedRequest,
  type OfferedTool,
  type Piece,
} from '@cuebook/prompt';
import { type Call, flagValue } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import type { Bench } from '../project/bench.js';
import type { TestCase } from '../prompt-test/case-file.js';
import { findCases } from '../prompt-test/find-cases.js';
import { type RecordedTurn, requireRecorded } from '../record/recorded-turn.js';

/** A request as a turn on record had it, in pieces again. */
export type ToldRequest = Pick<ComposedTarget, 'blocks' | 'tools' | 'params' | 'prompt' | 'request'>;

export interface RecordedCases {
  readonly tests: readonly TestCase[];
  readonly requests: ReadonlyMap<string, ToldRequest>;
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
  for (const arg of args) {
    const recorded = await requireRecorded(call, arg);
    const again = againOf(recorded, bench);
    if (again === undefined) {
      io.err(`E_COMPARE_DRIFT ${recorded.name} is left out: it does not come out as it was told\n`);
      continue;
    }
    if (requests.has(recorded.name)) continue;
    requests.set(recorded.name, again);
    const cluster = recorded.name.split('@')[0] as string;
    tests.push({ name: recorded.name, target: recorded.name, file: '', line: 1, cluster, evals });
  }
  if (tests.length === 0)
    throw new Failure('E_COMPARE_DRIFT', 'No turn comes out as it was told, so nothing can be compared', {
      exit: 1,
    });
  return { tests, requests };
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
  const blocks = told.prompt.blocks.map(({ name, role, text, spans, hash: _, ...beside }): BlockInput => {
    const bytes = Buffer.from(text);
    const pieces = spans.map(
      ({ start, end, origin, trust, secrecy, volatility }): Piece => ({
        text: bytes.subarray(start, end).toString(),
        ...{ origin, trust, secrecy, volatility },
      }),
    );
    return { name, role, pieces, ...beside };
  });
  const [tools, params] = [told.tools as unknown as readonly OfferedTool[], told.params];
  const composed = composeRequest({ blocks, tools, params, hash, redactor });
  if (!composed.ok) return undefined;
  const request: GatedRequest = composed.value;
  const isSame =
    request.prompt.hash === told.prompt.hash &&
    JSON.stringify([request.tools, request.params]) === JSON.stringify([told.tools, told.params]);
  return isSame ? { blocks, tools, params, prompt: request.prompt, request } : undefined;
}
