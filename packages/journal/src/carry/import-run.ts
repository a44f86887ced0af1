import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Adoption, ProjectionChange, RunId, Store, StoredCommit, StoredEvent } from '../contract.js';
import type { JournalError } from '../error.js';
import { digest } from '../turn/digest.js';
import { keyIdOf, type PublicKeys, publicKeyOf } from '../turn/key/key.js';
import type { VerifyProblem } from '../verify/problem.js';
import { checkAdoption } from './check.js';
import {
  type CommitLine,
  FORMAT_VERSION,
  type Header,
  headerSchema,
  type Line,
  lineSchema,
} from './format.js';

export type ImportError =
  | JournalError
  /** The file is not a run, or not whole. `line` counts from 1. */
  | { readonly code: 'E_IMPORT_FORMAT'; readonly line: number; readonly what: string }
  | { readonly code: 'E_IMPORT_VERSION'; readonly found: number; readonly known: number }
  /** Nothing here says that these keys may be believed. */
  | { readonly code: 'E_IMPORT_KEY'; readonly keys: readonly string[] }
  | { readonly code: 'E_IMPORT_REFUSED'; readonly problems: readonly VerifyProblem[] };

export interface ImportOptions {
  /** Whose signatures count here. */
  readonly publicKeys: PublicKeys;
  /** Ids of keys in the file that are to be believed as well. */
  readonly trust?: readonly string[];
}

export interface Imported {
  readonly run: RunId;
  readonly lastSeq: number;
  /** The very same run was there already. */
  readonly repeated: boolean;
  /** Keys of the file that were believed because of `trust`, as PEM by id. */
  readonly trusted: Readonly<Record<string, string>>;
}

/**
 * Takes in a run that `exportRun` wrote. The whole file is checked first, with its chain, signatures and hashes:
 * a file that was changed anywhere is refused whole. Importing twice is the same as once.
 */
export async function importRun(
  store: Store,
  lines: AsyncIterable<string>,
  { publicKeys, trust = [] }: ImportOptions,
): Promise<Result<Imported, ImportError>> {
  const read = await readLines(lines);
  if (!read.ok) return read;
  const { header, adoption } = read.value;
  const trusted = Object.fromEntries(Object.entries(header.keys).filter(([id]) => trust.includes(id)));
  const keys = withKeys(publicKeys, trusted);
  const problems = await checkAdoption(adoption, header, keys);
  const unknown = new Set(problems.flatMap(({ code, key }) => (code === 'E_VERIFY_KEY' && key ? [key] : [])));
  if (guard('import.key', unknown.size > 0 && problems.every(({ code }) => code === 'E_VERIFY_KEY'))) {
    return fail({ code: 'E_IMPORT_KEY', keys: [...unknown] });
  }
  if (guard('import.checked', problems.length > 0)) return fail({ code: 'E_IMPORT_REFUSED', problems });
  const adopted = await store.adopt(adoption);
  if (!adopted.ok) return adopted;
  return ok({ run: adoption.run, ...adopted.value, trusted });
}

/** A key counts under the id that it really has. */
function withKeys(known: PublicKeys, pems: Readonly<Record<string, string>>): PublicKeys {
  const keys = new Map(known);
  for (const [id, pem] of Object.entries(pems)) {
    const key = publicKeyOf(pem);
    if (key !== undefined && keyIdOf(key) === id) keys.set(id, key);
  }
  return keys;
}

interface ReadFile {
  readonly header: Header;
  readonly adoption: Adoption;
}

async function readLines(lines: AsyncIterable<string>): Promise<Result<ReadFile, ImportError>> {
  const sum = createHash('sha256');
  let header: Header | undefined;
  let isOver = false;
  let number = 0;
  const content: Content = { commits: [], projections: [], blobs: [], deleted: [] };
  for await (const line of lines) {
    number += 1;
    const bad = (what: string): Result<never, ImportError> =>
      fail({ code: 'E_IMPORT_FORMAT', line: number, what });
    if (isOver) return bad('there is more after the last line');
    const value = parseLine(line);
    if (header === undefined) {
      const parsed = headerSchema.safeParse(value);
      if (!parsed.success) return bad('this is not a run that was exported');
      header = parsed.data;
      if (guard('import.version', header.version > FORMAT_VERSION)) {
        return fail({ code: 'E_IMPORT_VERSION', found: header.version, known: FORMAT_VERSION });
      }
    } else {
      const parsed = lineSchema.safeParse(value);
      if (!parsed.success) return bad('the line does not fit');
      if ('end' in parsed.data) {
        isOver = true;
        if (guard('import.sum', parsed.data.end !== `sha256:${sum.digest('hex')}`))
          return bad('the sum of the lines is wrong');
        continue;
      }
      const problem = addLine(content, parsed.data, header.run as RunId);
      if (problem !== undefined) return bad(problem);
    }
    sum.update(`${line}\n`);
  }
  if (header === undefined || guard('import.whole', !isOver)) {
    return fail({ code: 'E_IMPORT_FORMAT', line: number, what: 'the file ends too early' });
  }
  return ok({ header, adoption: { run: header.run as RunId, ...content } });
}

interface Content {
  readonly commits: StoredCommit[];
  readonly projections: ProjectionChange[];
  readonly blobs: Uint8Array[];
  readonly deleted: { readonly hash: string; readonly size: number }[];
}

function addLine(content: Content, line: Exclude<Line, { end: string }>, run: RunId): string | undefined {
  if ('commit' in line) content.commits.push(toCommit(line.commit, run));
  else if ('projection' in line) content.projections.push(line.projection);
  else if ('deleted' in line) content.deleted.push({ hash: line.blob, size: line.size });
  else {
    const bytes = 'text' in line ? Buffer.from(line.text) : Buffer.from(line.base64, 'base64');
    if (guard('import.blob', digest(bytes) !== line.blob))
      return `blob ${line.blob} is not what its name says`;
    content.blobs.push(bytes);
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
