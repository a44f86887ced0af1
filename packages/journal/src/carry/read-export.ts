import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import type { ProjectionChange, RunId, StoredCommit, StoredEvent } from '../contract.js';
import { digest } from '../turn/digest.js';
import {
  type CommitLine,
  type ExportLine,
  FORMAT_VERSION,
  type Header,
  headerSchema,
  lineSchema,
} from './format.js';

/** A line of an export that says nothing. `number` counts from 1. */
export interface BadExportLine {
  readonly number: number;
  readonly what: string;
  /** Where a commit was expected: the last seq of the commits before it. */
  readonly afterSeq?: number;
  /** The turn that the line itself names, as far as it can be made out. */
  readonly turn?: string;
}

/** An export as far as it can be read. */
export interface ExportFile {
  /** Left out when the first line is none; then the run has no name. */
  readonly header?: Header;
  readonly run: RunId;
  readonly commits: readonly StoredCommit[];
  readonly projections: readonly ProjectionChange[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  /** Blobs whose content was deleted where the run comes from. */
  readonly deleted: readonly { readonly hash: string; readonly size: number }[];
  readonly bad: readonly BadExportLine[];
  /** The version that the first line names, when it is newer than what is known here. */
  readonly newer?: number;
}

/** Reads an export line by line, past those that are damaged: each is told, and takes only itself away. */
export async function readExport(lines: AsyncIterable<string>): Promise<ExportFile> {
  const sum = createHash('sha256');
  const content: Content = { commits: [], projections: [], blobs: new Map(), deleted: [] };
  const bad: BadExportLine[] = [];
  let header: Header | undefined;
  let isOver = false;
  let isPastCommits = false;
  let number = 0;
  const tell = (what: string, line = '') => {
    const afterSeq = content.commits.at(-1)?.lastSeq ?? 0;
    const isCommit = !isPastCommits && !isOver && number > 1;
    const turn = isCommit ? NAMED_TURN.exec(line)?.[1] : undefined;
    bad.push({ number, what, ...(isCommit && { afterSeq }), ...(turn === undefined ? {} : { turn }) });
  };
  for await (const line of lines) {
    number += 1;
    const value = parseLine(line);
    if (isOver) tell('there is more after the last line');
    else if (number === 1) {
      header = headerSchema.safeParse(value).data;
      if (header === undefined) tell('this is not a run that was exported');
    } else {
      const parsed = lineSchema.safeParse(value).data;
      isPastCommits ||= parsed !== undefined && !('commit' in parsed);
      if (parsed === undefined) tell('the line does not fit', line);
      else if ('end' in parsed) {
        isOver = true;
        if (guard('import.sum', parsed.end !== `sha256:${sum.digest('hex')}`)) {
          tell('the sum of the lines is wrong');
        }
        continue;
      } else {
        const problem = addLine(content, parsed, runOf(header));
        if (problem !== undefined) tell(problem);
      }
    }
    if (!isOver) sum.update(`${line}\n`);
  }
  isPastCommits = true;
  if (guard('import.whole', !isOver)) tell('the file ends too early');
  const isNewer = header !== undefined && header.version > FORMAT_VERSION;
  return {
    ...content,
    run: runOf(header),
    bad,
    ...(header && { header }),
    ...(isNewer && { newer: header?.version ?? 0 }),
  };
}

const NAMED_TURN = /"turn":"([^"\\]{1,200})"/;

const runOf = (header: Header | undefined): RunId => (header?.run ?? 'run_without_name') as RunId;

interface Content {
  readonly commits: StoredCommit[];
  readonly projections: ProjectionChange[];
  readonly blobs: Map<string, Uint8Array>;
  readonly deleted: { readonly hash: string; readonly size: number }[];
}

function addLine(
  content: Content,
  line: Exclude<ExportLine, { end: string }>,
  run: RunId,
): string | undefined {
  if ('commit' in line) content.commits.push(toCommit(line.commit, run));
  else if ('projection' in line) content.projections.push(line.projection);
  else if ('deleted' in line) content.deleted.push({ hash: line.blob, size: line.size });
  else {
    const bytes = 'text' in line ? Buffer.from(line.text) : Buffer.from(line.base64, 'base64');
    if (guard('import.blob', digest(bytes) !== line.blob))
      return `blob ${line.blob} is not what its name says`;
    content.blobs.set(line.blob, bytes);
  }
  return undefined;
}

function toCommit({ events, ...commit }: CommitLine, run: RunId): StoredCommit {
  const { at, command, firstSeq } = commit;
  return {
    ...commit,
    run,
    position: 0,
    events: events.map(
      (event, index): StoredEvent => ({ ...event, run, at, command, seq: firstSeq + index, position: 0 }),
    ),
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // Not JSON: the schema says so, with the number of the line.
  }
}
