import { createHash } from 'node:crypto';
import type { AttestedSource, RebuiltTurn } from '@cuebook/journal';
import { type FileWords, wordsFrom, wordsThen } from '@cuebook/workspace/history';
import { askGit } from '../git/git.js';

/** Finds the files that turns were told from, as the commits of a project's repository have them. */
export function filesThen(
  folder: string,
): (turn: RebuiltTurn) => Promise<ReadonlyMap<string, AttestedSource>> {
  // Turns of a run are mostly told from the same files.
  const known = new Map<string, Promise<AttestedSource | undefined>>();
  return async ({ request: { prompt }, at }) => {
    const refs = new Set(
      prompt.blocks.flatMap(({ spans }) =>
        spans.flatMap(({ origin }) => (origin.kind === 'file' ? [origin.ref] : [])),
      ),
    );
    const files = new Map<string, AttestedSource>();
    for (const ref of refs) {
      const words = wordsFrom(prompt, ref);
      const key = JSON.stringify([ref, words]);
      const found = known.get(key) ?? find(folder, ref, words, at);
      known.set(key, found);
      const file = await found;
      if (file !== undefined) files.set(ref, file);
    }
    return files;
  };
}

async function find(
  folder: string,
  ref: string,
  words: readonly FileWords[],
  at: number,
): Promise<AttestedSource | undefined> {
  const found = words.length === 0 ? undefined : await wordsThen({ git: askGit(folder), ref, words, at });
  if (found === undefined) return undefined;
  const hash = `sha256:${createHash('sha256').update(found.content).digest('hex')}`;
  return { hash, commit: found.commit };
}
