import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { readAnchorText } from '../src/anchor/carry.js';
import type { RunId, Store } from '../src/contract.js';
import { openOwner, type StoreOwner } from '../src/owner/project.js';
import { openStore, type StorePlace } from '../src/store/open.js';
import { openForVerify } from '../src/store/open-for-verify.js';
import type { VerifyProblem } from '../src/verify/problem.js';
import { verifyStore } from '../src/verify/verify-store.js';
import { must } from './write.js';

/** The owner of a home, which is made where it is missing. */
export async function ownerOf(home: string, name = 'a-project'): Promise<StoreOwner> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const files = await openFolder(home);
  if (!files.ok) throw new Error(files.error.code);
  const owner = await openOwner(files.value, {
    folder: `/work/${name}`,
    anchorFile: join(home, 'anchor.jsonl'),
  });
  if (!owner.ok) throw new Error(owner.error.code);
  return owner.value;
}

/** Opens a store as its owner, does something and closes it. */
export async function withStore<Value>(
  place: StorePlace,
  owner: StoreOwner,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = must(await openStore(place, { owner }));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What verifying the whole place finds, runs and anchor, without looking at what was not asked for. */
export async function verifyPlace(
  place: StorePlace,
  owner: StoreOwner,
  { runs, anchor }: { readonly runs?: readonly RunId[]; readonly anchor?: string } = {},
): Promise<readonly VerifyProblem[]> {
  const text = anchor ?? (await readAnchorText(owner.anchorFile));
  const opened = await openForVerify(place, { project: owner.project.id });
  try {
    const verified = await verifyStore(opened, {
      publicKeys: owner.publicKeys,
      anchors: [{ name: 'the anchor', text: typeof text === 'string' ? text : text.ok ? text.value : '' }],
      ...(runs === undefined ? {} : { runs }),
    });
    const problems = [
      ...verified.problems,
      ...verified.runs.flatMap(({ run, problems: of }) => of.map((each) => ({ run, ...each }))),
    ];
    if (verified.ok !== (problems.length === 0)) throw new Error('ok and problems do not agree');
    return problems;
  } finally {
    await opened.close();
  }
}
