import { guarded } from '@cuebook/guard';
import type { AuditProblem, StoredCommit } from '../contract.js';
import { DELETION } from '../store/keep/delete-blob.js';
import { chainCommit, genesis, readHash } from '../store/row/chain.js';
import { commitText } from '../store/row/commit-text.js';
import { canonical } from '../turn/canonical.js';
import { digest } from '../turn/digest.js';
import { turnOf } from '../turn/find.js';
import type { AnchoredStore } from '../verify/anchor-check.js';
import type { VerifiedStore } from '../verify/verify-run.js';
import type { ExportFile } from './read-export.js';

/** A run in an export, to be verified as one in a store is. Nothing of it is believed: its audit recomputes all. */
export function exportedRun(file: ExportFile): VerifiedStore & AnchoredStore {
  const bySeq = file.commits.flatMap(({ events }) => events).sort((a, b) => a.seq - b.seq);
  const events = bySeq.filter(({ seq }, index) => seq !== bySeq[index - 1]?.seq);
  const deleted = new Set(file.deleted.map(({ hash }) => hash));
  const last = file.commits.at(-1);
  return {
    head: async () => last && { seq: Math.max(last.lastSeq, events.at(-1)?.seq ?? 0), hash: last.hash },
    read: async (_run, { after = 0, limit = events.length } = {}) => {
      const from = events.findIndex(({ seq }) => seq > after);
      return from === -1 ? [] : events.slice(from, from + limit);
    },
    standing: async (run) =>
      run === file.run && last ? { seq: last.lastSeq, position: 0, hash: last.hash } : undefined,
    hasHead: async ({ seq, hash }) =>
      file.commits.some((each) => each.lastSeq === seq && each.hash === `sha256:${hash}`),
    findRemoval: async () => undefined,
    getBlob: async (hash) => file.blobs.get(hash) ?? (deleted.has(hash) ? 'deleted' : undefined),
    projection: async (name, key) =>
      file.projections.find((each) => each.name === name && each.key === key)?.value ?? undefined,
    async *audit() {
      for (const find of [lineProblems, commitProblems, blobProblems, projectionProblems])
        yield* guarded('verify.export', () => find(file), []);
    },
  };
}

function* lineProblems({ bad, commits, header, newer }: ExportFile): Iterable<AuditProblem> {
  for (const { number, what, afterSeq, turn } of bad) {
    const next = commits.find(({ firstSeq }) => afterSeq !== undefined && firstSeq > afterSeq + 1);
    yield {
      kind: 'file',
      message: `Line ${number} of the file: ${what}`,
      ...(afterSeq === undefined ? {} : { firstSeq: afterSeq + 1 }),
      ...(next === undefined ? {} : { lastSeq: next.firstSeq - 1 }),
      ...(turn === undefined ? {} : { turn }),
    };
  }
  if (newer !== undefined) yield { kind: 'file', message: `The file has version ${newer}, not known here` };
  if (header !== undefined && commits.at(-1)?.hash !== header.head) {
    const firstSeq = (commits.at(-1)?.lastSeq ?? 0) + 1;
    yield { kind: 'run', firstSeq, message: 'The last commit of the file is not the head that it names' };
  }
}

function* commitProblems({ run, commits }: ExportFile): Iterable<AuditProblem> {
  let [previous, seq] = [genesis(run), 0];
  const commands = new Set<string>();
  for (const commit of commits) {
    const { firstSeq, lastSeq, command, hash } = commit;
    if (firstSeq > seq + 1) {
      yield { kind: 'commit', firstSeq: seq + 1, lastSeq: firstSeq - 1, message: 'commits are not there' };
    } else if (firstSeq !== seq + 1 || !isChained(commit, previous)) {
      const message = 'it does not fit its hash, or the commit before it';
      // Its numbers may be what was changed: whose turn it is, its events say.
      const turn = commit.events.map(turnOf).find((each) => each !== undefined);
      yield { kind: 'commit', firstSeq, lastSeq, message, ...(turn === undefined ? {} : { turn }) };
    }
    if (commands.has(command)) {
      yield { kind: 'command', firstSeq, lastSeq, message: 'the command is there twice' };
    }
    commands.add(command);
    previous = readHash(hash) ?? previous;
    seq = firstSeq === seq + 1 ? seq + commit.events.length : lastSeq;
  }
  if (commits.length === 0) yield { kind: 'run', message: 'The file has no commit that can be read' };
}

function isChained(commit: StoredCommit, previous: Buffer): boolean {
  const text = commitText(commit);
  if (!text.ok || commit.lastSeq !== commit.firstSeq + commit.events.length - 1) return false;
  const chained = chainCommit(previous, text.value);
  const isSame = (bytes: Buffer | undefined, shown: string): boolean =>
    bytes !== undefined && readHash(shown)?.equals(bytes) === true;
  return (
    isSame(chained.head, commit.hash) &&
    commit.events.every(({ hash }, index) => isSame(chained.events[index], hash))
  );
}

/** Every blob that a commit names is there, or was deleted on record. */
function* blobProblems({ commits, blobs, deleted }: ExportFile): Iterable<AuditProblem> {
  const isRecorded = new Set(
    commits.flatMap(({ command }) =>
      command.startsWith(DELETION) ? [`sha256:${command.slice(DELETION.length, DELETION.length + 64)}`] : [],
    ),
  );
  const gone = new Set(deleted.map(({ hash }) => hash).filter((hash) => isRecorded.has(hash)));
  const told = new Set<string>();
  for (const { blobs: names, firstSeq, lastSeq } of commits) {
    for (const blob of names) {
      if (blobs.has(blob) || gone.has(blob) || told.has(blob)) continue;
      told.add(blob);
      const isUnrecorded = deleted.some(({ hash }) => hash === blob);
      const why = isUnrecorded ? 'its content is gone, and no deletion is on record' : 'it is not there';
      yield { kind: 'blob', blob, firstSeq, lastSeq, message: `${why}: ${blob}` };
    }
  }
}

/** The states of the file are what the chain says last. One that another run has written since is not in it. */
function* projectionProblems({ commits, projections }: ExportFile): Iterable<AuditProblem> {
  const said = new Map<string, string | null>();
  for (const commit of commits) {
    for (const { name, key, hash } of commit.projections) said.set(JSON.stringify([name, key]), hash);
  }
  for (const { name, key, value } of projections) {
    const isRight = value !== null && said.get(JSON.stringify([name, key])) === digest(canonical(value));
    if (!isRight) {
      yield {
        kind: 'projection',
        projection: { name, key },
        message: `State ${name} is not what the chain says`,
      };
    }
  }
}
