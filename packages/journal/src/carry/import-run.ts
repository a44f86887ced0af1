import { guard, guarded } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { RunId, Store } from '../contract.js';
import type { JournalError } from '../error.js';
import { readRing } from '../turn/key/chain.js';
import { fingerprintOf, type PublicKeys, publicKeyOf } from '../turn/key/key.js';
import type { VerifyProblem } from '../verify/problem.js';
import { verifyRun } from '../verify/verify-run.js';
import { exportedRun } from './exported-run.js';
import { FORMAT_VERSION, type Header } from './format.js';
import { strangeStates } from './own-states.js';
import { readExport } from './read-export.js';
import { unknownKeys } from './verify-export.js';

export type ImportError =
  | JournalError
  /** The file is not a run, or not whole. `line` counts from 1. */
  | { readonly code: 'E_IMPORT_FORMAT'; readonly line: number; readonly what: string }
  | { readonly code: 'E_IMPORT_VERSION'; readonly found: number; readonly known: number }
  /** Nothing here says that these keys may be believed: by fingerprint, where the file has them. */
  | { readonly code: 'E_IMPORT_KEY'; readonly keys: readonly string[] }
  | { readonly code: 'E_IMPORT_REFUSED'; readonly problems: readonly VerifyProblem[] };

export interface ImportOptions {
  /** Whose signatures count here. */
  readonly publicKeys: PublicKeys;
  /** Fingerprints, in full, of keys in the file that are to be believed as well. */
  readonly trust?: readonly string[];
}

export interface Imported {
  readonly run: RunId;
  readonly lastSeq: number;
  /** The very same run was there already. */
  readonly repeated: boolean;
  /** Keys of the file that were believed because of `trust`, as PEM by fingerprint. */
  readonly trusted: Readonly<Record<string, string>>;
}

/**
 * Takes in a run that `exportRun` wrote. The whole file is checked first, with its chain, signatures and hashes:
 * a file that was changed anywhere is refused whole, and so is one with a state that is not about its run. Importing twice
 * is the same as once.
 */
export async function importRun(
  store: Store,
  lines: AsyncIterable<string>,
  { publicKeys, trust = [] }: ImportOptions,
): Promise<Result<Imported, ImportError>> {
  const file = await readExport(lines);
  const { header, run, bad } = file;
  const newer = guarded('import.version', () => file.newer);
  if (newer !== undefined) {
    return fail({ code: 'E_IMPORT_VERSION', found: newer, known: FORMAT_VERSION });
  }
  const [first] = bad;
  if (header === undefined || first !== undefined) {
    return fail({ code: 'E_IMPORT_FORMAT', line: first?.number ?? 1, what: first?.what ?? '' });
  }
  const offered = keysOf(header);
  const trusted = new Map([...offered].filter(([id]) => trust.includes(id)));
  const ring = readRing(new Map([...publicKeys, ...trusted]), header.chain ?? []);
  const { problems: found } = await verifyRun(exportedRun(file), run, ring);
  const problems = [...strangeStates(file), ...found];
  const unknown = unknownKeys(problems).flatMap((id) => {
    const named = [...offered.keys()].filter((each) => each.startsWith(id));
    return named.length > 0 ? named : [id];
  });
  if (guard('import.key', unknown.length > 0 && problems.every(({ code }) => code === 'E_VERIFY_KEY'))) {
    return fail({ code: 'E_IMPORT_KEY', keys: unknown });
  }
  if (guard('import.checked', problems.length > 0)) return fail({ code: 'E_IMPORT_REFUSED', problems });
  const { commits, projections, blobs, deleted } = file;
  const adopted = await store.adopt({ run, commits, projections, blobs: [...blobs.values()], deleted });
  if (!adopted.ok) return adopted;
  return ok({ run, ...adopted.value, trusted: pemsOf(trusted) });
}

/** The keys of a file, by their true fingerprints, whatever it calls them. */
function keysOf({ keys, chain = [] }: Header): PublicKeys {
  const pems = [
    ...Object.values(keys),
    ...chain.flatMap(({ publicKey, previous = [] }) => [publicKey, previous]),
  ];
  const found = pems.flat().flatMap((pem) => publicKeyOf(pem) ?? []);
  return new Map(found.map((key) => [fingerprintOf(key), key]));
}

const pemsOf = (keys: PublicKeys): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...keys].map(([id, key]) => [id, key.export({ type: 'spki', format: 'pem' }).toString()]),
  );
