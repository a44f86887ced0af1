import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { Adopted, Adoption } from '../../contract.js';
import type { JournalError } from '../../error.js';
import { isRegister } from '../../register/register-run.js';
import type { JournalResult } from '../../result.js';
import { checkRun } from '../bounds.js';
import { headChange, INSERT_COMMIT, readState, type StoreState, UPSERT_RUN } from '../commit.js';
import type { SqlDriver, SqlSession, TransactionEnding } from '../port/driver.js';
import { type PreparedBlob, type PreparedProjection, prepareBlobs, prepareProjection } from '../prepare.js';
import { findProjections, saveProjections } from '../projection.js';
import { encodeBody } from '../row/body.js';
import { type CommitText, chainCommit, commandKey, genesis } from '../row/chain.js';
import { commitText, digits } from '../row/commit-text.js';
import { blobCells, commitCells, type RunRow, runCells } from '../row/rows.js';
import type { OnHead, Witness } from '../witness.js';
import { findBlobs, linkBlobs, numberBlobs, UPSERT_BLOB } from './blob-rows.js';
import { DELETION } from './delete-blob.js';

/** Takes in a run of another store, whole or not at all. */
export async function adopt(
  driver: SqlDriver,
  adoption: Adoption,
  witness: Witness,
): Promise<JournalResult<Adopted>> {
  const checked = checkAdoption(adoption);
  if (!checked.ok) return checked;
  try {
    return await witness.write(driver, (session, onHead) =>
      adoptIn(driver, session, { adoption, checked: checked.value, onHead }),
    );
  } catch (thrown) {
    return fail(driver.explain(thrown));
  }
}

/** An adoption whose chain is whole. */
interface Checked {
  readonly texts: readonly CommitText[];
  readonly heads: readonly Buffer[];
  readonly head: Buffer;
  readonly projections: readonly PreparedProjection[];
  readonly blobs: readonly PreparedBlob[];
  /** Sizes of blobs whose content was deleted, by digits. */
  readonly deleted: ReadonlyMap<string, number>;
}

function checkAdoption(adoption: Adoption): JournalResult<Checked> {
  const run = checkRun(adoption.run);
  if (!run.ok) return run;
  if (guard('register.own', isRegister(adoption.run)))
    return fail({
      code: 'E_JOURNAL_INVALID',
      what: 'the run',
      reason: 'it is a register of another project',
    });
  const texts: CommitText[] = [];
  const heads: Buffer[] = [];
  let head = genesis(adoption.run);
  for (const commit of adoption.commits) {
    const text = commitText(commit);
    if (!text.ok) return text;
    const previous = texts.at(-1)?.lastSeq ?? 0;
    head = chainCommit(head, text.value).head;
    const isBroken =
      `sha256:${head.toString('hex')}` !== commit.hash ||
      commit.run !== adoption.run ||
      commit.firstSeq !== previous + 1 ||
      commit.lastSeq !== previous + commit.events.length;
    if (guard('adopt.chain', isBroken)) {
      return fail(corrupt(`the chain of ${adoption.run} at event ${commit.firstSeq}`));
    }
    texts.push(text.value);
    heads.push(head);
  }
  if (texts.length === 0)
    return fail({ code: 'E_JOURNAL_INVALID', what: 'the run', reason: 'it has no commits' });
  const projections = checkProjections(adoption, texts);
  if (!projections.ok) return projections;
  const blobs = prepareBlobs(adoption.blobs, [
    ...new Set(adoption.commits.flatMap((commit) => commit.blobs)),
  ]);
  if (!blobs.ok) return blobs;
  const deleted = checkDeleted(adoption);
  if (!deleted.ok) return deleted;
  return ok({
    texts,
    heads,
    head,
    projections: projections.value,
    blobs: blobs.value,
    deleted: deleted.value,
  });
}

/** The values that stand must be those that the chain says last, all of them and no other. */
function checkProjections(
  { projections = [], run }: Adoption,
  texts: readonly CommitText[],
): JournalResult<readonly PreparedProjection[]> {
  const said = new Map<string, string | null>();
  for (const text of texts) {
    for (const { name, key, hash } of text.projections) said.set(JSON.stringify([name, key]), hash);
  }
  const prepared: PreparedProjection[] = [];
  for (const change of projections) {
    const projection = prepareProjection(change);
    if (!projection.ok) return projection;
    const id = JSON.stringify([change.name, change.key]);
    if (guard('adopt.projection', said.get(id) !== projection.value.hash || change.value === null)) {
      return fail(corrupt(`the projection ${change.name} ${change.key} of ${run}`));
    }
    said.delete(id);
    prepared.push(projection.value);
  }
  const isMissing = [...said.values()].some((hash) => hash !== null);
  if (guard('adopt.projection', isMissing)) return fail(corrupt(`a projection of ${run}, which is missing,`));
  return ok(prepared);
}

/** Missing content is accepted only with a record of its deletion. */
function checkDeleted({ deleted = [], commits }: Adoption): JournalResult<ReadonlyMap<string, number>> {
  const recorded = new Set(
    commits.flatMap(({ command }) =>
      command.startsWith(DELETION) ? [command.slice(DELETION.length, DELETION.length + 64)] : [],
    ),
  );
  const sizes = new Map<string, number>();
  for (const { hash, size } of deleted) {
    if (guard('adopt.blob', !recorded.has(digits(hash)) || !Number.isSafeInteger(size) || size < 0)) {
      return fail({ code: 'E_JOURNAL_BLOB_MISSING', blob: hash });
    }
    sizes.set(digits(hash), size);
  }
  return ok(sizes);
}

async function adoptIn(
  driver: SqlDriver,
  session: SqlSession,
  { adoption: { run }, checked, onHead }: Adopting,
): Promise<TransactionEnding<JournalResult<Adopted>>> {
  const refuse = (error: JournalError) => ({ keep: false, value: fail(error) });
  const state = await readState(session, run);
  const lastSeq = checked.texts.at(-1)?.lastSeq ?? 0;
  const isSame = state.run?.hash.equals(checked.head) === true;
  // A run that was removed comes back only as what it was.
  if (state.run && !isSame) return refuse({ code: 'E_JOURNAL_CONFLICT', run, command: '(the whole run)' });
  if (state.run?.removedAt === null) return { keep: false, value: ok({ lastSeq, repeated: true }) };

  const [found, numbers] = await Promise.all([
    findBlobs(session, checked.blobs),
    driver.numbers(session, checked.blobs.length),
  ]);
  const ids = numberBlobs(found, numbers.blobs);
  const id = state.run?.id ?? numbers.run;
  for (const [index, { blob, row }] of found.entries()) {
    if (row !== undefined || blob.content !== undefined) continue;
    const size = checked.deleted.get(blob.name.toString('hex'));
    if (guard('adopt.blob', size === undefined)) {
      return refuse({ code: 'E_JOURNAL_BLOB_MISSING', blob: `sha256:${blob.name.toString('hex')}` });
    }
    const cells = { id: ids[index] ?? 0, key: blob.key, size: size ?? 0, name: blob.name, data: null };
    await session.rows(UPSERT_BLOB, blobCells(cells));
  }
  await session.rows('DELETE FROM cuebook_removals WHERE run = ?', [run]);
  await linkBlobs(session, { run: id, ids, found });
  const byName = new Map(checked.blobs.map(({ name }, index) => [name.toString('hex'), ids[index] ?? 0]));
  onHead(headChange(await insertRows(session, { run, id, state, checked, byName }), state.run));
  return { keep: true, value: ok({ lastSeq, repeated: false }) };
}

interface Adopting {
  readonly adoption: Adoption;
  readonly checked: Checked;
  readonly onHead: OnHead;
}

interface Insert {
  readonly run: string;
  readonly id: number;
  readonly state: StoreState;
  readonly checked: Checked;
  readonly byName: ReadonlyMap<string, number>;
}

async function insertRows(session: SqlSession, { run, id, state, checked, byName }: Insert): Promise<RunRow> {
  let position = Math.max(state.maxPosition, state.floor);
  const written = new Map<string, number>();
  const pending: Promise<unknown>[] = [];
  for (const [index, text] of checked.texts.entries()) {
    position += Math.max(1, text.events.length);
    const body = encodeBody({ ...text, blobs: text.blobs.map((blob) => byName.get(blob) ?? 0) });
    const hash = checked.heads[index] ?? checked.head;
    const key = commandKey(run, text.command);
    const row = { position, run: id, seq: text.lastSeq, at: text.at, commandKey: key, body, hash };
    pending.push(session.rows(INSERT_COMMIT, commitCells(row)));
    for (const change of text.projections) written.set(JSON.stringify([change.name, change.key]), position);
  }
  for (const found of await findProjections(session, checked.projections)) {
    const { name, key } = found.change;
    const at = written.get(JSON.stringify([name, key])) ?? position;
    pending.push(saveProjections(session, { run: id, position: at, changes: [found] }));
  }
  await Promise.all(pending);
  const first = checked.texts[0];
  const last = checked.texts.at(-1);
  const head = {
    id,
    name: run,
    seq: last?.lastSeq ?? 0,
    position,
    startedAt: first?.at ?? 0,
    lastAt: last?.at ?? 0,
    removedAt: null,
    hash: checked.head,
  };
  await session.rows(UPSERT_RUN, runCells(head));
  return head;
}

const corrupt = (what: string): JournalError => ({ code: 'E_JOURNAL_CORRUPT', what });
