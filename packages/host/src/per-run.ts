import {
  APPROVALS_PROJECTION,
  type ApprovalRow,
  createEngine,
  findWorker,
  listStandings,
  type Machine,
  type Standing,
} from '@cuebook/engine';
import type { RunId, StoredEvent } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError, Reply, StartCall } from './contract.js';
import { refuse } from './errors.js';
import type { Ground, KindAtWork, RunKind } from './kind.js';
import type { OpenRun } from './open-run.js';
import { replyWord } from './reply.js';
import type { RunView } from './report.js';
import { createRooms } from './rooms.js';
import { type NotedCall, readRunNote, removeRunNote, writeRunNote } from './run-note.js';
import { approvalWait, standingWaits } from './standing-waits.js';
import { byAge, type Wait } from './wait.js';
import type { Word } from './word.js';

/** A kind each of whose runs is opened by itself, with a lease of its own: processes work side by side on different runs. */
export interface PerRunKind<State> extends Pick<RunKind, 'name' | 'prefixes' | 'begins'> {
  /** As far as reading a run needs it: the log has decided. */
  // biome-ignore lint/suspicious/noExplicitAny: a machine is invariant in its commands, and reading gives none.
  readonly machine: Machine<State, any, any>;
  readonly view: (state: State) => RunView;
  /** The numbers behind a stall or a spent budget, where the run stands still for one. */
  readonly pause: (state: State) => PauseFacts | undefined;
  /** The forms of an answer that a failed run goes on with; none: it does not. */
  readonly afterFailure: readonly string[];
  /** Left out: the forms that all kinds share. */
  readonly wordFor?: (wait: Wait, reply: Reply) => Result<Word, HostError>;
  /** How a run was called that has no note, from its first event; undefined: nobody can say. */
  readonly callOf: (first: StoredEvent) => NotedCall | undefined;
  /** Reads and checks what is to be run. Nothing is begun and nobody is asked anything. */
  readonly open: (opening: Opening) => Promise<Result<OpenRun, HostError>>;
}

export interface PauseFacts {
  readonly evidence: JsonValue;
  /** Of a spent budget. */
  readonly unit?: 'turns' | 'tokens' | 'usd';
}

export interface Opening {
  readonly run: RunId;
  readonly call: NotedCall;
  readonly ground: Ground;
  /** It is about to begin in this way: everything that is wrong with it is told. Left out: it has begun. */
  readonly start?: StartCall;
}

/** A kind of run from its record. */
export const perRunKind = <State>(record: PerRunKind<State>): RunKind => ({
  name: record.name,
  prefixes: record.prefixes,
  begins: record.begins,
  attach: (ground) => attach(record, ground),
});

function attach<State>(record: PerRunKind<State>, ground: Ground): KindAtWork {
  const { store, home, clock } = ground;
  const reader = createEngine({ store, machine: record.machine, drivers: {} });
  const rooms = createRooms({
    open: async (run) => {
      const call = await callOf(run);
      return call === undefined ? NO_CALL : record.open({ run, call, ground });
    },
    onProblem: ground.onProblem,
  });
  let cancel = (): void => undefined;
  let isStopped = false;

  async function callOf(run: RunId): Promise<NotedCall | undefined> {
    const { call } = await readRunNote(home, run);
    if (call !== undefined) return call;
    const [first] = await store.read(run, { limit: 1 });
    return first && record.callOf(first);
  }
  async function ours(): Promise<readonly (readonly [RunId, Standing])[]> {
    const all = [...(await listStandings(store))] as unknown as (readonly [RunId, Standing])[];
    return all.filter(([, { kind }]) => kind === record.name);
  }
  /** Open work that no process does is gone on with here. */
  async function sweep(): Promise<void> {
    for (const [run, { status }] of await ours()) {
      if (isStopped) return;
      if (status === 'running' && !rooms.isOpen(run) && (await findWorker(store, run)) === undefined)
        await rooms.goOn(run);
    }
  }
  const again = (): void => {
    if (isStopped) return;
    const next = (): void =>
      void sweep()
        .catch((error: unknown) => ground.onProblem(error, {}))
        .finally(again);
    cancel = clock.at(clock.now() + ground.leaseMs, next);
  };
  async function asked(): Promise<readonly ApprovalRow[]> {
    return [...(await store.projections(APPROVALS_PROJECTION)).values()] as unknown as readonly ApprovalRow[];
  }
  async function waitsOf(run: RunId, rows: readonly ApprovalRow[]): Promise<readonly Wait[]> {
    const { state, seq } = await reader.read(run);
    const standing = record.machine.stand?.(state);
    if (standing === undefined) return [];
    const [last] = await store.read(run, { after: Math.max(0, seq - 1), limit: 1 });
    const since = last?.at ?? 0;
    const facts = record.pause(state);
    const view = record.view(state);
    const approvals = rows.filter((row) => row.run === run).map((row) => approvalWait(row, standing));
    const others = standingWaits(standing, {
      ...{ run, since, evidence: facts?.evidence, unit: facts?.unit ?? 'turns' },
      ...{ afterFailure: record.afterFailure, failure: view.error?.message },
    });
    const isLeft =
      standing.status === 'running' && !rooms.isOpen(run) && (await findWorker(store, run)) === undefined;
    const left = isLeft ? [leftRun(standing, { run, since, problem: rooms.problemOf(run) })] : [];
    return [...approvals, ...others, ...left].sort(byAge);
  }

  return {
    async start() {
      await sweep();
      again();
    },
    async stop({ running }) {
      isStopped = true;
      cancel();
      await rooms.close(running === 'wait' ? 'await' : 'abort');
    },
    async begin(run, call) {
      const digest = digestOf(ground, call);
      const noted = await readRunNote(home, run);
      const isThere = (await store.head(run)) !== undefined;
      if (noted.digest !== undefined && noted.digest !== digest) return CONFLICT;
      if (isThere) return noted.digest === digest ? ok({ run, diagnostics: [] }) : CONFLICT;
      const { id: _id, by: _by, input: _input, budget: _budget, options: _options, ...kept } = call;
      const opened = await record.open({ run, call: kept, ground, start: call });
      if (!opened.ok) return opened;
      const written = await writeRunNote(home, run, { call: kept, digest });
      if (!written.ok) {
        await opened.value.close({ running: 'abort' });
        return written;
      }
      const begun = await rooms.begin(run, opened.value, (room) => room.begin(call, `start ${digest}`));
      if (begun.ok) return ok({ run, diagnostics: opened.value.diagnostics ?? [] });
      if ((await store.head(run)) === undefined) await removeRunNote(home, run);
      return begun;
    },
    tell: (run, word, said) =>
      rooms.enter(run, async (room) => (word.type === 'go-on' ? ok(null) : room.tell(word, said))),
    wordFor: record.wordFor ?? replyWord,
    async report(run) {
      const { state, seq } = await reader.read(run);
      const waits = await waitsOf(run, await asked());
      return ok({ run, kind: record.name, seq, ...record.view(state), waits });
    },
    async waits({ run }) {
      const rows = await asked();
      if (run !== undefined) return waitsOf(run, rows);
      const waits: Wait[] = [];
      for (const [each, { wait, status }] of await ours())
        if (wait !== undefined || status === 'failed' || status === 'running')
          waits.push(...(await waitsOf(each, rows)));
      return waits.sort(byAge);
    },
    drain: () => rooms.drain(),
  };
}

/** Work is open and no process does it. */
const leftRun = (
  { kind, target }: Standing,
  {
    run,
    since,
    problem,
  }: { readonly run: RunId; readonly since: number; readonly problem: string | undefined },
): Wait => ({
  ...{ id: run, run, kind, target, lane: null, name: null, for: 'left', tool: '', input: null },
  reason:
    problem === undefined
      ? 'The process that was at work on it is gone. It goes on when a host takes it up.'
      : `It cannot go on here: ${problem}`,
  ...{ since, expiresAt: null, answers: ['resume'], example: 'resume' },
});

/**
 * Tells calls with one id apart. What only the kind understands does not count: it may hold secrets, and a hash of a
 * short one would tell it to who tries them all.
 */
function digestOf({ hash, redactor }: Ground, call: StartCall): string {
  const { target, input, budget, provider, model, script } = call;
  const said = input === undefined ? null : redactor.redactText(input).text;
  const { turns = null, tokens = null, usd = null } = budget ?? {};
  const asked = [target, said, turns, tokens, usd, provider ?? null, model ?? null, script ?? null];
  return hash(JSON.stringify(asked)).slice(-40);
}

const CONFLICT: Result<never, HostError> = refuse(
  'conflict',
  'E_COMMAND_CONFLICT',
  'A run was started with this id before, and in another way.',
);

const NO_CALL: Result<never, HostError> = refuse(
  'unavailable',
  'E_RUN_CALL',
  'Nothing says how this run was called: go on with it by the command that began it.',
);
