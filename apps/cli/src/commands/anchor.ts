import { basename, dirname, join } from 'node:path';
import { isObjects } from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { acceptAnchor, exportAnchor, readAnchorText, type StoreOwner } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { unknownAction } from '../input/one-of.js';
import { printJson } from '../output/json.js';
import { count } from '../output/style.js';
import { requireFile } from '../project/named-file.js';
import { writeNote, writeObject } from '../record/against.js';
import { type JournalPlace, journalPlace, requireOwner, withJournal } from '../record/journal.js';
import { writeNamedFile } from '../record/named-output.js';
import { noRuns } from '../record/no-runs.js';

/** `cuebook anchor [ACTION]`: where the runs stand, noted outside the database. */
export const run: CommandHandler = async (call) => {
  const [action = 'show', ...more] = call.args;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw unknownAction(action, Object.keys(ACTIONS));
  if (more.length > 0) throw usage(`${hint`anchor ${action}`} takes no more words`);
  const where = await journalPlace(call.flags, call.io);
  // Opened once: the anchor is brought forward to where the store stands.
  return withJournal(call.flags, call.io, async (journal) => {
    if (journal === undefined) return noRuns(call);
    const owner = await requireOwner(journal.home, where);
    return act(call, { where, owner, store: journal.store });
  });
};

interface Parts {
  readonly where: JournalPlace;
  readonly owner: StoreOwner;
  readonly store: Parameters<typeof acceptAnchor>[0];
}

type Act = (call: Call, parts: Parts) => Promise<number>;

const ACTIONS: Readonly<Record<string, Act>> = { show, export: exportIt, accept };

async function textOf({ where }: Parts): Promise<string> {
  return requireFile(await readAnchorText(where.anchorFile), 'The anchor') ?? '';
}

async function show(call: Call, parts: Parts): Promise<number> {
  const { flags, io } = call;
  const text = await textOf(parts);
  const line = exportAnchor(text, parts.owner, Date.now());
  const { heads } = JSON.parse(line) as { readonly heads: readonly Head[] };
  if (isOn(flags, 'json')) {
    const shown = heads.map(([run, seq, , hash]) => ({ run, seq, head: `sha256:${hash}` }));
    await printJson(io, { project: parts.owner.project.id, heads: shown });
    return 0;
  }
  await io.out(`${parts.owner.project.id}, ${count(heads.length, 'run')}\n`);
  for (const [run, seq, , hash, removedAt] of heads) {
    await io.out(`${run} ${removedAt === undefined ? count(seq, 'event') : 'removed'} sha256:${hash}\n`);
  }
  return 0;
}

/** Run, seq, position, hash and, for one that was removed, when. */
type Head = readonly [string, number, number, string, number?];

async function exportIt(call: Call, parts: Parts): Promise<number> {
  const { flags, io } = call;
  const { owner, where } = parts;
  const [to, objects] = [flagValue(flags, 'to'), flagValue(flags, 'objects')];
  const now = Date.now();
  const text = exportAnchor(await textOf(parts), owner, now);
  const done: Record<string, string> = {};
  if (to !== undefined) {
    await writeNamedFile(io, to, Buffer.from(text, 'latin1'));
    done.file = to;
  }
  if (objects !== undefined) {
    if (!isObjects(objects)) throw usage('--objects takes s3://BUCKET/PREFIX, or objects:DIR for a folder');
    done.object = await writeObject(objects, text, { io, project: owner.project.id, now });
  }
  if (isOn(flags, 'git')) done.commit = await noteIn(where, text, now);
  if (Object.keys(done).length === 0) throw usage('Say where to: --to FILE, --git or --objects URL');
  if (isOn(flags, 'json')) await printJson(io, { project: owner.project.id, ...done });
  else
    for (const [kind, name] of Object.entries(done)) await io.out(`Exported the anchor to ${kind} ${name}\n`);
  return 0;
}

/** git reads the note from a file: an anchor is longer than a command line may be. */
async function noteIn({ anchorFile, folder }: JournalPlace, text: string, now: number): Promise<string> {
  const files = requireFile(await openFolder(dirname(anchorFile)), 'The anchor');
  const name = `${basename(anchorFile)}.${now}.note`;
  requireFile(await files.writeText(name, text, { mode: 0o600, ifMatch: 'absent' }), 'The note');
  try {
    return await writeNote(folder, join(dirname(anchorFile), name));
  } finally {
    await files.remove(name);
  }
}

async function accept(call: Call, { owner, store }: Parts): Promise<number> {
  const { flags, io } = call;
  const [by, reason] = [flagValue(flags, 'by'), flagValue(flags, 'reason')];
  if (by === undefined || reason === undefined) throw usage('--by WHO and --reason TEXT are kept on record');
  const kept = requireFile(await acceptAnchor(store, owner, { by, reason, now: Date.now() }), 'The anchor');
  if (isOn(flags, 'json')) await printJson(io, { by, reason, kept: kept ?? null });
  else
    await io.out(
      `Accepted by ${by}${kept === undefined ? '' : `. What was anchored before is in ${kept}`}\n`,
    );
  return 0;
}
