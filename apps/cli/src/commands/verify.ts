import {
  keyIdOf,
  type PublicKeys,
  publicKeyOf,
  type RunId,
  type Store,
  type Verification,
  type VerifyProblem,
  verifyRun,
} from '@cuebook/journal';
import { type Call, flagValue, flagValues, type Handler, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, type Style, styleFor } from '../output/style.js';
import { readNamedFile } from '../project/named-file.js';
import { type Journal, withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { requireRun, unknownRun } from '../record/run-name.js';
import { stateProblems } from '../record/state-problems.js';

/** `cuebook verify`: whether a record is as it was written. Exit code 1 when it is not. */
export const run: Handler = async (call) => {
  const { args, flags, io } = call;
  const [named] = args;
  const all = isOn(flags, 'all');
  const head = requireHead(flagValue(flags, 'head'));
  if (all && named !== undefined) throw usage('Name a run, or give --all, not both');
  if (all && head !== undefined) throw usage('--head belongs to one run: name it');
  return withJournal(flags, io, async (journal) => {
    if (journal === undefined && named !== undefined) throw unknownRun(named);
    const runs = journal === undefined ? [] : await wantedRuns(journal.store, named, all);
    if (journal === undefined || runs.length === 0) return noRuns(call);
    const keys = await withKeyFiles(journal.keys, flagValues(flags, 'key'), io);
    const verified: Verification[] = [];
    for (const id of runs) {
      const work = verifyRun(journal.store, id, {
        publicKeys: keys,
        ...(head === undefined ? {} : { head }),
      });
      verified.push(
        withStates(await withProgress(io, `Verifying ${id}`, work), await stateProblems(journal.store, id)),
      );
    }
    const stray = all ? await strayProblems(journal) : [];
    const ok = verified.every((each) => each.ok) && stray.length === 0;
    if (isOn(flags, 'json')) await printJson(io, { ok, runs: verified, problems: stray });
    else await print(call, verified, stray);
    return ok ? 0 : 1;
  });
};

/** A state that does not follow from its log is one more way not to be as it was written. */
function withStates(verification: Verification, states: readonly VerifyProblem[]): Verification {
  const problems = [...verification.problems, ...states];
  return { ...verification, problems, ok: problems.length === 0 };
}

async function wantedRuns(store: Store, named: string | undefined, all: boolean): Promise<readonly RunId[]> {
  if (all) return (await store.runs()).map(({ run: id }) => id);
  const found = await requireRun(store, named);
  return found === undefined ? [] : [found.run];
}

/** What is wrong in the store and belongs to no run. */
async function strayProblems({ store }: Journal): Promise<readonly VerifyProblem[]> {
  const problems: VerifyProblem[] = [];
  for await (const { run: of, message } of store.audit()) {
    if (of === undefined) problems.push({ code: 'E_VERIFY_STORE', message });
  }
  return problems;
}

async function withKeyFiles(known: PublicKeys, files: readonly string[], io: Io): Promise<PublicKeys> {
  const keys = new Map(known);
  for (const file of files) {
    const key = publicKeyOf(await readNamedFile(io.cwd, file));
    if (key === undefined) throw new Failure('E_JOURNAL_KEY', `${file} is not an Ed25519 public key`);
    keys.set(keyIdOf(key), key);
  }
  return keys;
}

function requireHead(text: string | undefined): string | undefined {
  if (text === undefined || /^sha256:[0-9a-f]{64}$/.test(text)) return text;
  throw usage('--head takes sha256: and 64 hexadecimal digits, as `cuebook verify RUN` prints them');
}

async function print(
  { io }: Call,
  verified: readonly Verification[],
  stray: readonly VerifyProblem[],
): Promise<void> {
  const style = styleFor(io, 'out');
  for (const each of verified) await io.out(verificationText(each, style));
  for (const problem of stray) await io.out(problemLine('journal', problem, style));
}

function verificationText(
  { run: id, ok, events, turns, open, head, problems }: Verification,
  style: Style,
): string {
  const mark = ok ? style.green('✓') : style.red('✗');
  const waiting = open.length === 0 ? '' : `, ${open.length} without an end`;
  const facts = `${count(events, 'event')}, ${count(turns, 'turn')}${waiting}`;
  const last = ok
    ? head === undefined
      ? ''
      : ` ${style.dim(head)}`
    : `, ${count(problems.length, 'problem')}`;
  const lines = problems.map((problem) => problemLine(id, problem, style));
  return `${mark} ${id} ${facts}${last}\n${lines.join('')}`;
}

function problemLine(id: string, { code, message, turn, seq, block }: VerifyProblem, style: Style): string {
  const place = [
    `${id}${turn === undefined ? '' : `@${turn}`}`,
    ...(seq === undefined ? [] : [`event ${seq}`]),
    ...(block === undefined ? [] : [`block ${block}`]),
  ];
  return `${style.bold(place.join(', '))} ${style.red('error')} ${code} ${message}\n`;
}
