import { createHash } from 'node:crypto';
import type { KeptFile } from '@cuebook/host';
import type { AttestedSource, RebuiltTurn } from '@cuebook/journal';
import { wordsFrom, wordsThen } from '@cuebook/workspace/history';
import { askGit } from '../git/git.js';

/** Finds the files that turns of a run were told from: as the run kept them, or as the commits of the repository have them. */
export function filesThen(
  folder: string,
  keptIn: (turn: string) => Promise<(ref: string) => KeptFile | undefined>,
): (turn: RebuiltTurn) => Promise<ReadonlyMap<string, AttestedSource>> {
  // Turns of a run are mostly told from the same files.
  const known = new Map<string, Promise<AttestedSource | undefined>>();
  return async ({ request: { prompt }, at, turn }) => {
    const kept = await keptIn(turn);
    const refs = new Set(
      prompt.blocks.flatMap(({ spans }) =>
        spans.flatMap(({ origin }) => (origin.kind === 'file' ? [origin.ref] : [])),
      ),
    );
    const files = new Map<string, AttestedSource>();
    for (const ref of refs) {
      const words = wordsFrom(prompt, ref);
      const own = kept(ref);
      const key = JSON.stringify([ref, words, own?.commit, own && sha256(own.text)]);
      const found = known.get(key) ?? find({ git: askGit(folder), ref, words, at, kept: own });
      known.set(key, found);
      const file = await found;
      if (file !== undefined) files.set(ref, file);
    }
    return files;
  };
}

async function find(call: Parameters<typeof wordsThen>[0]): Promise<AttestedSource | undefined> {
  const found = call.words.length === 0 ? undefined : await wordsThen(call);
  if (found === undefined) return undefined;
  return { hash: sha256(found.content), ...(found.commit === undefined ? {} : { commit: found.commit }) };
}

const sha256 = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;
