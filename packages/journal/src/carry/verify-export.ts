import { readRing } from '../turn/key/chain.js';
import type { PublicKeys } from '../turn/key/key.js';
import { checkAnchor, type NamedAnchor } from '../verify/anchor-check.js';
import type { VerifyProblem } from '../verify/problem.js';
import { verifyRun } from '../verify/verify-run.js';
import type { StoreVerification } from '../verify/verify-store.js';
import { exportedRun } from './exported-run.js';
import { readExport } from './read-export.js';

/** What the run of an export must show; the same as of one in a store. */
export interface VerifyExportOptions {
  readonly publicKeys: PublicKeys;
  /** Where runs stood, as known elsewhere. What they say of other runs than the file's does not count. */
  readonly anchors?: readonly NamedAnchor[];
  /** A head of this run that is known from elsewhere, as `sha256:…`. */
  readonly head?: string;
}

/**
 * Verifies a run in an exported file where it lies: nothing is taken in, and no damage ends it before everything was
 * looked at that can be. Keys in the file
 * count if one that is trusted vouches for them, and else for nothing.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  { anchors = [], head, publicKeys: trusted }: VerifyExportOptions,
): Promise<StoreVerification> {
  const file = await readExport(lines);
  const run = exportedRun(file);
  const ring = readRing(trusted, file.header?.chain ?? []);
  const { publicKeys, replaced } = ring;
  const verified = await verifyRun(run, file.run, {
    publicKeys,
    replaced,
    ...(head === undefined ? {} : { head }),
  });
  const problems: VerifyProblem[] = ring.problems.map((what) => ({
    code: 'E_VERIFY_STORE',
    message: `The file: ${what}`,
  }));
  for (const anchor of anchors) {
    problems.push(...(await checkAnchor(run, anchor, { publicKeys, run: file.run })));
  }
  return { ok: verified.ok && problems.length === 0, runs: [verified], problems, behind: [], left: 0 };
}

/** Problems that say only that a key is not known here. */
export const unknownKeys = (problems: readonly VerifyProblem[]): readonly string[] => [
  ...new Set(problems.flatMap(({ code, key }) => (code === 'E_VERIFY_KEY' && key ? [key] : []))),
];
