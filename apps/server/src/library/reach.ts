import type { AnswerOf, LIBRARY_ROUTES } from '@cuebook/api';
import type { TextSource } from '@cuebook/files';
import { findTargets } from '@cuebook/profile';
import { composeIn } from './compose.js';
import { editedSource } from './edited-source.js';
import type { Library } from './library.js';
import { isMadeByCode, listingProfiles } from './profiles.js';

type Reached = AnswerOf<(typeof LIBRARY_ROUTES)['findReached']>['reached'];

/**
 * The targets whose bytes edits would change, each composed with its author's examples. Definitions are left out: what
 * can be edited here is in none of them, and composing them runs code of the project.
 */
export async function reachedBy(library: Library, edits: ReadonlyMap<string, string>): Promise<Reached> {
  const profiles = (await listingProfiles(library)).filter(({ prefix }) => !isMadeByCode(prefix));
  const [old, edited] = [editedSource(library.files), editedSource(library.files, edits)];
  const targets = await findTargets({ profiles, project: old });
  const reached: Reached = [];
  for (const target of targets) {
    const hashOf = async (project: TextSource) => {
      const composed = await composeIn(library, target, { project });
      return composed.ok ? composed.value.prompt.hash : undefined;
    };
    const [before, after] = [await hashOf(old), await hashOf(edited)];
    if (before === after) continue;
    const change = after === undefined ? 'broken' : before === undefined ? 'fixed' : 'changed';
    reached.push({ target, change });
  }
  return reached;
}
