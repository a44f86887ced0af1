import { basename, resolve } from 'node:path';
import { openFolder } from '@cuebook/files';
import {
  findRun,
  fingerprintOf,
  JournalFailure,
  type NamedAnchor,
  openForVerify,
  type PublicKeys,
  projectOfHome,
  publicKeyOf,
  type RunId,
  readAnchorText,
  readKeyFiles,
  readProject,
  type Store,
  type StoreToVerify,
  type StoreVerification,
  verifyExport,
  verifyStore,
} from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, styleFor } from '../output/style.js';
import { namedPath, readNamedFile } from '../project/named-file.js';
import { readExported } from '../record/against.js';
import { exportLines, isExport } from '../record/export-lines.js';
import { type JournalPlace, journalFailure, journalPlace } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { LAST, unknownRun } from '../record/run-name.js';
import { stateProblems } from '../record/state-problems.js';
import { printVerification } from '../record/verification-text.js';

/** `cuebook verify`: whether a record is as it was written. Exit code 1 when it is not. Nothing is changed by it. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [named] = args;
  const all = isOn(flags, 'all');
  const head = requireHead(flagValue(flags, 'head'));
  if (all && named !== undefined) throw usage('Name a run, or give --all, not both');
  if (all && head !== undefined) throw usage('--head belongs to one run: name it');
  const file = flagValue(flags, 'file');
  if (file !== undefined && (await isExport(file, io))) return verifyFile(call, file, head);
  const where = await placeOf(call);
  const opened = await openPlace(where, io);
  try {
    const { publicKeys, problems } = await keysOf(where, flagValues(flags, 'key'), io);
    const anchors = await anchorsOf(where, opened, call);
    const wanted = await wantedRuns(opened.store, { named, all, anchors });
    const work = verifyStore(
      { ...opened, problems: [...opened.problems, ...problems] },
      {
        publicKeys,
        anchors,
        ...wanted,
        ...(head === undefined ? {} : { head }),
        more: stateProblems,
      },
    );
    const verified = await withProgress(io, 'Verifying', work);
    if (verified.ok && verified.runs.length === 0) return await noRuns(call);
    await tell(call, verified, opened.isCopy);
    return verified.ok ? 0 : 1;
  } catch (error) {
    throw error instanceof JournalFailure ? journalFailure(error.error) : error;
  } finally {
    await opened.close();
  }
};

/** A run that was exported, verified where it lies. */
async function verifyFile(call: Call, file: string, head: string | undefined): Promise<number> {
  const { flags, io } = call;
  const where = await journalPlace(flags, io);
  const { publicKeys } = await keysOf(where, flagValues(flags, 'key'), io);
  const anchors = await exportedAnchors(where, call);
  const options = { publicKeys, anchors, ...(head === undefined ? {} : { head }) };
  const verified = await withProgress(io, 'Verifying', verifyExport(exportLines(file, io), options));
  await tell(call, verified, false);
  return verified.ok ? 0 : 1;
}

/** The project's records, or a copy of some that the caller names. */
type Where = JournalPlace & { readonly isNamedCopy: boolean };

async function placeOf({ flags, io }: Call): Promise<Where> {
  const where = await journalPlace(flags, io);
  const file = flagValue(flags, 'file');
  if (file === undefined) return { ...where, isNamedCopy: false };
  return { ...where, place: { file: resolve(io.cwd, file) }, isNamedCopy: true };
}

const NOTHING: StoreToVerify = {
  store: undefined,
  problems: [],
  isAnchored: false,
  isCopy: false,
  close: async () => undefined,
};

/** A file that is not there is a journal in which nothing is. */
async function openPlace({ place, isNamedCopy, home }: Where, io: Io): Promise<StoreToVerify> {
  if ('file' in place) {
    const { disk, path } = await namedPath(io.cwd, place.file);
    if (!(await disk.stat(path)).ok) {
      if (isNamedCopy) throw new Failure('E_FILE_NOT_FOUND', `There is no file ${basename(place.file)}`);
      return NOTHING;
    }
  }
  try {
    const files = await openFolder(home, { access: 'ro' });
    return await openForVerify(place, files.ok ? await projectOfHome(files.value, io.env) : {});
  } catch (error) {
    throw error instanceof JournalFailure ? journalFailure(error.error) : error;
  }
}

/** The anchor of this home, if there is one or should be; and those that the caller names. */
async function anchorsOf(
  where: Where,
  { isAnchored, claim }: StoreToVerify,
  call: Call,
): Promise<readonly NamedAnchor[]> {
  const exported = await exportedAnchors(where, call, claim?.id);
  if (where.isNamedCopy) return exported;
  const name = 'the anchor of this home';
  const own = await readAnchorText(where.anchorFile);
  // One that is there and cannot be read says nothing, and that is told.
  if (!own.ok) return [{ name, text: 'unreadable\n' }, ...exported];
  return own.value === undefined && !isAnchored
    ? exported
    : [{ name, text: own.value, isOwn: true }, ...exported];
}

async function exportedAnchors(
  { folder, home }: JournalPlace,
  { flags, io }: Call,
  claimed?: string,
): Promise<readonly NamedAnchor[]> {
  const exported: NamedAnchor[] = [];
  for (const each of flagValues(flags, 'against')) {
    const project = claimed ?? (await projectOf(home));
    exported.push(...(await readExported(each, { io, folder, project })));
  }
  return exported;
}

/** The id of the project that a home belongs to, if it has one. */
async function projectOf(home: string): Promise<string> {
  const files = await openFolder(home, { access: 'ro' });
  return (files.ok ? (await readProject(files.value))?.id : undefined) ?? '';
}

interface Wanted {
  readonly named: string | undefined;
  readonly all: boolean;
  readonly anchors: readonly NamedAnchor[];
}

/** Which runs to verify, and which one the anchors are asked about. Also one that only an anchor knows of. */
async function wantedRuns(
  store: Store | undefined,
  { named, all, anchors }: Wanted,
): Promise<{ readonly runs?: readonly RunId[]; readonly only?: RunId }> {
  if (all) return {};
  if (named === undefined || named.split('@')[0] === LAST)
    return store === undefined ? { runs: [] } : newestOf(store);
  const there = store === undefined ? [] : await store.runNames();
  const known = anchors.flatMap(({ text = '' }) => [...text.matchAll(/"(run_[A-Za-z0-9]{1,60})"/g)]);
  const runs = [...new Set([...there, ...known.map(([, run]) => run as RunId)])];
  const found = findRun(
    runs.map((run) => ({ run })),
    named.split('@')[0] ?? named,
  );
  if (!('run' in found)) throw unknownRun(named, found.candidates, runs);
  const isLive = there.includes(found.run) && (await isStanding(store, found.run));
  return { runs: isLive ? [found.run] : [], only: found.run };
}

/** A run whose row cannot be read is one to look at. */
async function isStanding(store: Store | undefined, run: RunId): Promise<boolean> {
  const standing = await store?.standing(run).catch(() => ({}));
  return standing !== undefined && !('removedAt' in standing);
}

async function newestOf(store: Store): Promise<{ readonly runs?: readonly RunId[] }> {
  try {
    const [newest] = [...(await store.runs())].sort((a, b) => b.lastAt - a.lastAt);
    return { runs: newest === undefined ? [] : [newest.run] };
  } catch {
    return {}; // Which one is the newest cannot be told: all are looked at.
  }
}

/** The keys of this home, as far as they can be read, and those that the caller names. */
async function keysOf(
  { home }: JournalPlace,
  files: readonly string[],
  io: Io,
): Promise<{ readonly publicKeys: PublicKeys; readonly problems: readonly string[] }> {
  const folder = await openFolder(home, { access: 'ro' });
  const { keys: known, bad } = folder.ok ? await readKeyFiles(folder.value) : { keys: new Map(), bad: [] };
  const problems = bad.map((error) => `the key ${'path' in error ? error.path : ''} cannot be used`);
  const keys = new Map(known);
  for (const file of files) {
    const key = publicKeyOf(await readNamedFile(io.cwd, file));
    if (key === undefined) throw new Failure('E_JOURNAL_KEY', `${file} is not an Ed25519 public key`);
    keys.set(fingerprintOf(key), key);
  }
  return { publicKeys: keys, problems };
}

function requireHead(text: string | undefined): string | undefined {
  if (text === undefined || /^sha256:[0-9a-f]{64}$/.test(text)) return text;
  throw usage(`--head takes sha256: and 64 hexadecimal digits, as ${hint`verify RUN`} prints them`);
}

async function tell(call: Call, verified: StoreVerification, isCopy: boolean): Promise<void> {
  const { flags, io } = call;
  const { ok, runs, problems, behind, left } = verified;
  if (isOn(flags, 'json')) return printJson(io, { ok, runs, problems, behind, left, isCopy });
  if (isCopy) io.err('The journal may not be written where it is: a copy of it was verified.\n');
  await printVerification(io, runs, problems);
  const style = styleFor(io, 'err');
  for (const line of notesOf(verified, call.args[0])) io.err(style.dim(`${told(io, line)}\n`));
}

/** What a good answer does not say. */
function notesOf({ behind, left }: StoreVerification, named: string | undefined): readonly string[] {
  const notes: string[] = [];
  const events = behind.reduce((sum, each) => sum + each.events, 0);
  if (events > 0) {
    const runs = behind.length === 1 ? behind[0]?.run : count(behind.length, 'run');
    notes.push(
      `The anchor does not have the last ${count(events, 'event')} of ${runs} yet: nothing outside the store shows whether others followed. The next command that writes records notes them, and ${hint`verify --against ANCHOR`} checks against an anchor that was exported.`,
    );
  }
  if (left > 0) {
    const looked = named === undefined || named.split('@')[0] === LAST;
    const of = looked ? 'the anchor was compared with where they stand' : 'nothing was looked at';
    notes.push(
      `${count(left, 'other run')} not verified: of them ${of}. ${hint`verify --all`} checks every run.`,
    );
  }
  return notes;
}
