import { randomUUID } from 'node:crypto';
import {
  createHost,
  type EvalStart,
  evalRuns,
  findTake,
  type Host,
  type RunReport,
  type TakePlan,
} from '@cuebook/host';
import { createSigner, type RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import type { Bench } from '../project/bench.js';
import { homeFolder } from '../project/home.js';
import { requireProviders } from '../project/providers.js';
import { type Journal, keyFailure } from '../record/journal.js';
import { spokenOf } from '../run/note.js';
import type { EvalAbout } from './about.js';
import { planTakes } from './design.js';
import type { PreparedEval } from './opened.js';
import { stepRun } from './step-run.js';
import type { CaseRequest } from './variant.js';

/** A comparison with its takes planned and those found that are on record. */
export interface PlannedEval {
  readonly run: RunId;
  readonly start: EvalStart;
  readonly about: EvalAbout;
  readonly requests: readonly CaseRequest[];
  /** Whether this comparison was begun before: it is gone on with. */
  readonly isThere: boolean;
  /** Behind the keys of its takes, where they are taken from no other run. */
  readonly suffix: string;
}

export interface TakeOptions {
  readonly isFresh: boolean;
  readonly jobs: number;
  /** A later step of a run: its id follows from that of the first, and its takes are others. */
  readonly step?: {
    readonly of: Pick<PlannedEval, 'run' | 'suffix'>;
    readonly name: string;
    readonly after: number;
  };
}

/**
 * Plans the takes of a comparison. The same comparison is the same run, whoever asks for it again and how often; with
 * `isFresh` it is a new one, that names those before it and takes nothing from them.
 */
export async function planRun(
  { flags, io }: Pick<Call, 'flags' | 'io'>,
  { bench, journal }: { readonly bench: Bench; readonly journal: Journal },
  { cases, about, looks }: PreparedEval,
  { isFresh, jobs, step }: TakeOptions,
): Promise<PlannedEval> {
  const { hash } = bench;
  const { provider = '', model = '', script = '' } = await spokenOf({ flags, io });
  const voice = [provider, model, script === '' ? '' : hash(script)];
  const { takes, requests } = planTakes({
    cases,
    variants: about.names,
    takes: about.takes,
    after: step?.after ?? 0,
    seed: about.seed,
    voice,
    hash,
  });
  // Which other prompts a change reaches does not make it another comparison.
  const { change: _, ...same } = about;
  const key = (fresh: number): string =>
    hash(JSON.stringify([same, looks, takes.map((take) => take.key), fresh])).slice(
      'sha256:'.length,
      'sha256:'.length + 24,
    );
  const earlier: RunId[] = [];
  let run = step === undefined ? (`run_${key(0)}` as RunId) : stepRun(hash, step.of.run, step.name);
  while (step === undefined && isFresh && (await journal.store.head(run)) !== undefined) {
    earlier.push(run);
    run = `run_${key(earlier.length)}` as RunId;
  }
  const suffix = step?.of.suffix ?? (isFresh ? `-${earlier.length}` : '');
  const isThere = (await journal.store.head(run)) !== undefined;
  const planned: TakePlan[] = [];
  for (const { lane, key: bare, request } of takes) {
    const of = `${bare}${suffix}`;
    const found = (isFresh && step === undefined) || isThere ? undefined : await findTake(journal.store, of);
    planned.push({
      lane,
      key: of,
      request,
      ...(found === undefined ? {} : { from: found }),
    });
  }
  const perCase = about.takes * about.names.length;
  const told: EvalAbout = {
    ...about,
    earlier,
    ...(step === undefined ? {} : { step: { of: step.of.run, name: step.name } }),
  };
  return {
    run,
    about: told,
    requests,
    isThere,
    suffix,
    start: {
      requests: requests.map(({ kept }) => kept),
      takes: planned,
      looks: looks.map((size) => (size === cases.length ? planned.length : size * perCase)),
      jobs,
      about: told as unknown as JsonValue,
      files: {},
    },
  };
}

export interface RunTakes<Document> {
  readonly call: Call;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly planned: Pick<PlannedEval, 'run' | 'start' | 'isThere'>;
  /** Makes a take that is more than one turn. */
  readonly perform?: NonNullable<Parameters<typeof evalRuns>[0]>['perform'];
  readonly budget: { readonly turns: number; readonly tokens?: number; readonly usd?: number };
  /** What the record tells after a number of looks. */
  readonly read: (look: number) => Promise<Document | undefined>;
}

export interface DoneEval<Document> {
  readonly document: Document;
  readonly report: RunReport;
}

/** Runs a comparison to its verdict, or to where its budget or a signal ends it. What has an outcome is not asked again. */
export async function runTakes<Document extends object>({
  call,
  bench,
  journal,
  planned,
  budget,
  perform,
  read,
}: RunTakes<Document>): Promise<DoneEval<Document>> {
  const { io } = call;
  const { run, start } = planned;
  const host = await openHost(call, bench, journal, { start, perform });
  const stop = (): void => void host.tell(run, { type: 'stop' }, { id: `stop ${randomUUID()}`, by: PERSON });
  io.stop.addEventListener('abort', stop, { once: true });
  try {
    await begin(host, planned, { call, budget });
    for (;;) {
      await host.drain();
      const report = must(await host.report(run));
      if (report.status === 'running' && (await goesOn(host, run, { after: report.seq, stop: io.stop })))
        continue;
      const look = Number(report.detail.looks) + (report.status === 'done' ? 0 : 1);
      const document = await read(look);
      if (document === undefined) throw new Failure('E_RUN_UNKNOWN', 'The run is no eval', { exit: 1 });
      if (report.status !== 'idle') return { document, report };
      const isLast = look >= start.looks.length;
      const { verdict = 'done', why = '' } = document as { readonly verdict?: string; readonly why?: string };
      const said = { id: `look ${look}`, by: PERSON };
      if (!isLast && verdict === 'open') {
        must(await host.tell(run, { type: 'resume' }, said));
        continue;
      }
      must(
        await host.tell(
          run,
          { type: 'finish', ok: verdict !== 'worse', summary: `${verdict}: ${why}` },
          said,
        ),
      );
    }
  } finally {
    io.stop.removeEventListener('abort', stop);
    await host.stop({ running: 'abort' });
  }
}

/**
 * Whether a run in which nothing is in flight goes on by itself: a process that stood still for longer than its lease gives
 * its work up and takes it again.
 */
async function goesOn(
  host: Host,
  run: RunId,
  { after, stop }: { readonly after: number; readonly stop: AbortSignal },
): Promise<boolean> {
  if (stop.aborted || (await host.waiting({ run })).length > 0) return false;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(AGAIN_MS)]);
  for await (const _ of host.events(run, { after, signal })) return true;
  return false;
}

/** Several times as long as a lease: another process may have the work for as long. */
const AGAIN_MS = 20_000;

async function begin(
  host: Host,
  { run, isThere }: Pick<PlannedEval, 'run' | 'isThere'>,
  { call, budget }: Pick<RunTakes<object>, 'call' | 'budget'>,
): Promise<void> {
  const target = `eval:${run.slice('run_'.length)}`;
  if (!isThere) {
    must(await host.begin({ id: run, by: PERSON, target, budget, ...(await spokenOf(call)) }));
    return;
  }
  const { status } = must(await host.report(run));
  const said = { id: `go on ${randomUUID()}`, by: PERSON };
  if (status === 'done') return;
  if (status === 'waiting') must(await host.tell(run, { type: 'raise', to: budget }, said));
  else if (status === 'stopped') must(await host.tell(run, { type: 'resume' }, said));
  else must(await host.tell(run, { type: 'go-on' }, said));
}

async function openHost(
  { io }: Call,
  bench: Bench,
  journal: Journal,
  { start, perform }: { readonly start: EvalStart; readonly perform: RunTakes<object>['perform'] },
): Promise<Host> {
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const { folder, files, context, redactor, hash } = bench;
  return createHost({
    kinds: [evalRuns({ prepare: async () => ({ ok: true, value: start }), ...(perform && { perform }) })],
    ...{ store: journal.store, signer: signer.value, home: journal.home, homeFolder: homeFolder(folder, io) },
    ...{ folder, files, context, redactor, hash },
    providers: { config: await requireProviders(files), env: io.env },
  });
}

const PERSON = 'user';

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

function must<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new Failure(answer.error.code, answer.error.message, { exit: 1 });
}
