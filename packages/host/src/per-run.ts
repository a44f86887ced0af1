import { randomBytes } from 'node:crypto';
import {
  type ApprovalRow,
  createEngine,
  findStanding,
  findWorker,
  listStandings,
  readApprovals,
  type Standing,
} from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError, StartCall, StartedRun } from './contract.js';
import { refuse } from './errors.js';
import type { Ground, KindAtWork, Lacks, RunKind } from './kind.js';
import { noteLeft, readLeft } from './left-note.js';
import { newerLayout, newerRun } from './newer-layout.js';
import type { PerRunKind } from './per-run-kind.js';
import { lastEvent, readReport } from './read-report.js';
import { replyWord } from './reply.js';
import type { RunReport } from './report.js';
import { createRooms } from './rooms.js';
import { findCall, isCallable } from './run-call.js';
import { createRunNote, NOTED, readRunNote, removeRunNote, UNOPENED_NOTE, writeRunNote } from './run-note.js';
import { versionGrounds } from './version-ground.js';
import { byAge, NO_ANSWER, type Wait, waitsForLabel } from './wait.js';
import type { Word } from './word.js';

/** A kind of run from its record. */
export const perRunKind = <State>(record: PerRunKind<State>): RunKind => ({
  name: record.name,
  prefixes: record.prefixes,
  begins: record.begins,
  ...(record.lacks && { lacks: record.lacks }),
  ...(record.daily && { daily: true }),
  attach: (ground) => attach(record, ground),
});

function attach<State>(record: PerRunKind<State>, ground: Ground): KindAtWork {
  const { store, home, clock } = ground;
  const groundOf = versionGrounds(ground);
  const reader = createEngine({ store, machine: record.machine, drivers: {} });
  const rooms = createRooms({
    open: async (run, to) => {
      const isNewer = to === 'work' ? await newerLayout(store) : undefined;
      if (isNewer !== undefined) return isNewer;
      const at = to === 'work' ? await groundOf(run) : ok(ground);
      if (!at.ok) return at;
      const call = await findCall(record, at.value, run);
      return call === undefined ? noCall(home, run) : record.open({ run, call, ground: at.value });
    },
    onProblem: ground.onProblem,
    isHanded: ground.hand !== undefined,
  });
  const hand = (run: RunId): void => ground.hand?.(record.name, run);
  let cancel = (): void => undefined;
  let isStopped = false;
  async function ours(): Promise<readonly (readonly [RunId, Standing])[]> {
    const all = [...(await listStandings(store, { active: true }))];
    return all
      .filter(([, { kind }]) => kind === record.name)
      .map(([run, how]) => [run as RunId, how] as const);
  }
  /** Open work that no process does is gone on with here. */
  async function sweep(): Promise<void> {
    for (const [run, { status }] of await ours()) {
      if (isStopped) return;
      if (status !== 'running' || rooms.isOpen(run) || (await findWorker(store, run)) !== undefined) continue;
      if (ground.hand === undefined) await rooms.goOn(run);
      else hand(run);
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
  /** What keeps this machine from going on with a run is told to the others, one of which may be able to. */
  async function leave(run: RunId, problem = rooms.problemOf(run)): Promise<void> {
    const machine = problem === undefined ? undefined : await ground.versions?.machine();
    const head = machine === undefined ? undefined : await store.head(run);
    if (problem === undefined || machine === undefined || head === undefined) return;
    await noteLeft(home, run, { seq: head.seq, machine, problem });
    if (isStopped || (await findStanding(store, run))?.status !== 'running') return;
    ground.hand?.(record.name, run, clock.now() + ground.leaseMs / 2);
  }
  async function reportOf(run: RunId, rows?: readonly ApprovalRow[]): Promise<RunReport> {
    const { state, seq } = await reader.read(run);
    const report = await readReport(record, ground, { run, state, seq }, rows);
    const isLeft =
      record.machine.stand?.(state)?.status === 'running' &&
      !rooms.isOpen(run) &&
      (await findWorker(store, run)) === undefined;
    if (!isLeft) return report;
    const since = (await lastEvent(store, run, seq))?.at ?? 0;
    const isOurs = await isCallable(record, ground, run);
    const wanted = await ground.wants?.(record.name, run);
    const noted = await readLeft(home, run);
    const elsewhere = noted?.seq === seq ? Object.values(noted.problems)[0] : undefined;
    const here = rooms.problemOf(run);
    const left = leftRun(report, { run, since, here, elsewhere, isOurs, wanted });
    return { ...report, waits: [...report.waits, left] };
  }

  async function begin(
    given: RunId,
    call: StartCall,
    isAgain = false,
  ): Promise<Result<StartedRun, HostError>> {
    const run = record.runFor?.(call) ?? given;
    const noted = await readRunNote(home, run);
    const salt = noted.salt ?? randomBytes(16).toString('hex');
    const digest = digestOf(ground, salt, call);
    const isThere = (await store.head(run)) !== undefined;
    if (noted.digest !== undefined && noted.digest !== digest) return CONFLICT;
    if (isThere && noted.digest === digest) return ok({ run, diagnostics: [] });
    // A run that is always the same one may have been begun by a command: it is gone on with here.
    if (isThere && record.runFor === undefined) return CONFLICT;
    const {
      id: _id,
      by: _by,
      input: _input,
      budget: _budget,
      options: _options,
      label: _label,
      ...kept
    } = call;
    const isNewer = await newerLayout(store);
    if (isNewer !== undefined) return isNewer;
    const opened = await record.open({ run, call: kept, ground, start: call });
    if (!opened.ok) return opened;
    const machine = await ground.versions?.machine();
    const note = { call: kept, digest, salt, ...(machine !== undefined && { machine }) };
    // Of several that begin it at the same moment, at whichever server, the first says how; the others are held to it.
    const isFirst = noted.digest === undefined && !isAgain;
    const written = await (isFirst ? createRunNote : writeRunNote)(home, run, note);
    if (!written.ok) {
      await opened.value.close({ running: 'abort' });
      return isFirst && written.error.code === NOTED ? begin(given, call, true) : written;
    }
    const begun = await rooms.begin(run, opened.value, (room) => room.begin(call, `start ${digest}`));
    if (begun.ok) {
      hand(run);
      return ok({ run, diagnostics: opened.value.diagnostics ?? [] });
    }
    if ((await store.head(run)) === undefined) await removeRunNote(home, run);
    return begun;
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
    begin: (given, call) => begin(given, call),
    async tell(run, word, said) {
      const part = LACKING[word.type];
      const missing = part === undefined ? undefined : record.lacks?.[part];
      if (missing !== undefined) return refuse('invalid', 'E_WORD_UNKNOWN', missing);
      const told = await rooms.enter(run, async (room) =>
        word.type === 'go-on' ? ok(null) : room.tell(word, said),
      );
      if (told.ok) hand(run);
      const isOpened = told.ok || rooms.problemOf(run) === undefined;
      if (isOpened || word.type === 'go-on' || record.tell === undefined) return told;
      // What keeps the run from going on here keeps no word out of its log.
      const noted = await record.tell({ run, ground, word, said });
      if (noted.ok) hand(run);
      return noted.ok ? noted : told;
    },
    async update(run, { ground: to, machine }, said) {
      const missing = record.lacks?.updates ?? (record.update === undefined ? NO_UPDATE : undefined);
      if (missing !== undefined || record.update === undefined)
        return refuse('conflict', 'E_UPDATE_KIND', missing ?? NO_UPDATE);
      const call = await findCall(record, ground, run);
      if (call === undefined) return noCall(home, run);
      const moved = await record.update({ run, call, ground: to, machine, said });
      // Whoever works on it leaves its next turn to who opens it again.
      if (moved.ok) hand(run);
      return moved;
    },
    async goOn(run) {
      const isNewer = (await newerLayout(store)) ?? newerRun(await reader.read(run));
      if (isNewer?.ok === false) {
        const problem = `${isNewer.error.code} ${isNewer.error.message}`;
        ground.onProblem(problem, { run });
        return leave(run, problem);
      }
      if (!(await rooms.goOn(run))) return leave(run);
      // A word that came while it was let go of, or work that this process left: somebody goes on.
      const standing = await findStanding(store, run);
      if (standing?.status === 'running' && (await findWorker(store, run)) === undefined) hand(run);
    },
    wordFor: record.wordFor ?? replyWord,
    async report(run) {
      return ok(await reportOf(run));
    },
    async waits({ run }) {
      if (run !== undefined) return (await reportOf(run)).waits;
      const rows = await readApprovals(store);
      const waits: Wait[] = [];
      for (const [each, { wait, status }] of await ours())
        if (wait !== undefined || status === 'failed' || status === 'running')
          waits.push(...(await reportOf(each, rows)).waits);
      return waits.sort(byAge);
    },
    drain: () => rooms.drain(),
    runFor: (call) => record.runFor?.(call),
  };
}

/** Which words are about what a kind may lack. */
const LACKING: Readonly<Partial<Record<Word['type'], keyof Lacks>>> = {
  say: 'words',
  approve: 'approvals',
  settle: 'doubts',
};

/** Work is open and no process does it. */
const leftRun = (
  { kind, target }: Pick<RunReport, 'kind' | 'target'>,
  {
    run,
    since,
    here,
    elsewhere,
    isOurs,
    wanted,
  }: {
    readonly run: RunId;
    readonly since: number;
    /** Why it cannot go on in this process, and on another machine. */
    readonly here: string | undefined;
    readonly elsewhere: string | undefined;
    readonly isOurs: boolean;
    /** The label that its worker must have. */
    readonly wanted: string | undefined;
  },
): Wait => ({
  ...{ id: run, run, kind, target, lane: null, name: null, for: 'left', tool: '', input: null },
  reason:
    here !== undefined
      ? `It cannot go on here: ${here}`
      : elsewhere !== undefined
        ? `No machine could go on with it: ${elsewhere}`
        : wanted !== undefined
          ? waitsForLabel(wanted)
          : 'The process that was at work on it is gone. It goes on when a host takes it up.',
  ...(here === undefined && elsewhere === undefined
    ? {}
    : { evidence: { problem: here ?? elsewhere ?? '' } }),
  ...{ since, expiresAt: null, ...(isOurs ? { answers: ['resume'], example: 'resume' } : NO_ANSWER) },
});

/** Tells calls with one id apart. What is private in a call is hidden by a salt that only CUEBOOK_HOME has. */
function digestOf({ hash }: Ground, salt: string, call: StartCall): string {
  const { target, input, budget, provider, model, script, options = {} } = call;
  const { turns = null, tokens = null, usd = null } = budget ?? {};
  const asked = [target, input, turns, tokens, usd, provider, model, script, canonical(options)];
  return hash(JSON.stringify([salt, ...asked.map((each) => each ?? null)])).slice(-40);
}

/** The same text for the same value, in whichever order its members were written. */
const canonical = (value: JsonValue): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const CONFLICT: Result<never, HostError> = refuse(
  'conflict',
  'E_COMMAND_CONFLICT',
  'A run was started with this id before, and in another way.',
);

export const NO_UPDATE = 'Runs of this kind keep the sources that they were started with.';

/** Why nobody can go on with a run whose call is not known. */
const noCall = async (home: Ground['home'], run: RunId): Promise<Result<never, HostError>> =>
  (await readRunNote(home, run)).unopened ? { ok: false, error: UNOPENED_NOTE } : NO_CALL;

const NO_CALL: Result<never, HostError> = refuse(
  'unavailable',
  'E_RUN_CALL',
  'Nothing says how this run was called: go on with it by the command that began it.',
);
