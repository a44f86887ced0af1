import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';
import { gitFailure } from '../git/store.js';
import { gitIn } from './folder.js';
import type { WorkspaceGround } from './place.js';

/** A content of the store that a copy has no second one of. */
export interface Borrowed {
  readonly id: string;
  readonly kind: 'blob' | 'tree';
}

/** What the repository of a copy borrows of the store: by its commits, whatever leads to them, and its index. */
export async function borrowedBy(
  ground: WorkspaceGround,
  at: { readonly run: string; readonly node: string },
): Promise<Result<readonly Borrowed[], WorkspaceError>> {
  const reached = await gitIn(ground, at, [
    ...['rev-list', '--objects', '--no-object-names', '--all', '--reflog', '--indexed-objects'],
  ]);
  if (reached.code !== 0) return fail(gitFailure(reached));
  const found = await ground.store.run(['cat-file', '--batch-check=%(objecttype) %(objectname)'], {
    input: reached.stdout,
  });
  if (found.code !== 0) return fail(gitFailure(found));
  return ok(
    found.stdout
      .toString()
      .split('\n')
      .flatMap((line): readonly Borrowed[] => {
        const [kind, id = ''] = line.split(' ');
        return kind === 'blob' || kind === 'tree' ? [{ id, kind }] : [];
      }),
  );
}
