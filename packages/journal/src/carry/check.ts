import type { Adoption, Store } from '../contract.js';
import { digest } from '../turn/digest.js';
import type { PublicKeys } from '../turn/key/key.js';
import { MAX_PROBLEMS, type VerifyProblem } from '../verify/problem.js';
import { createReceiptCheck } from '../verify/receipts.js';
import type { Header } from './format.js';

/**
 * Checks the receipts of a run that is not in a store yet: links, signatures, and that every prompt rebuilds. The
 * store itself checks the chain of commits when it takes the run in.
 */
export async function checkAdoption(
  { commits, blobs, deleted = [] }: Adoption,
  header: Header,
  keys: PublicKeys,
): Promise<readonly VerifyProblem[]> {
  const content = new Map<string, Uint8Array | 'deleted'>(blobs.map((bytes) => [digest(bytes), bytes]));
  for (const { hash } of deleted) content.set(hash, 'deleted');
  const source: Pick<Store, 'getBlob'> = { getBlob: async (hash) => content.get(hash) };
  const receipts = createReceiptCheck(source, keys);
  const problems: VerifyProblem[] = [];
  for (const event of commits.flatMap(({ events }) => events)) {
    problems.push(...(await receipts.add(event)));
    if (problems.length >= MAX_PROBLEMS) return problems;
  }
  if (commits.at(-1)?.hash !== header.head) {
    problems.push({
      code: 'E_VERIFY_HEAD',
      message: 'The last commit of the file is not the head that it names',
    });
  }
  return problems;
}
