import type { Block } from '../block.js';
import type { GrowingHash, Hash } from '../hash.js';
import { BLOCK_SEPARATOR, joinBlocks } from '../project.js';

/** Blocks as one string, and its hash. */
export interface Joined {
  readonly text: string;
  readonly hash: string;
}

/** The projections of prompts that begin alike. */
export interface Prefixes {
  join(blocks: readonly Block[], hash: Hash): Joined;
}

/**
 * Keeps where the last prompts stood after the blocks that they had in common with the one before, and at their end.
 * A prompt that begins with the same blocks goes on from there. Blocks are told apart by identity: whoever keeps them
 * hands out the same one for the same words.
 */
export function createPrefixes(maxSize: number): Prefixes {
  let trails: readonly Trail[] = [];
  return {
    join(blocks, hash) {
      if (hash.begin === undefined) return joinWhole(blocks, hash);
      let best: Trail | undefined;
      let common = 0;
      for (const trail of trails) {
        const shared = trail.hash === hash ? commonBlocks(trail.blocks, blocks) : 0;
        if (shared > common) [best, common] = [trail, shared];
      }
      const from = best?.marks.findLast(({ count }) => count <= common) ?? startOf(hash.begin());
      const middle = goOn(from, blocks, common);
      const end = goOn(middle, blocks, blocks.length);
      const trail: Trail = { blocks, hash, marks: end === middle ? [middle] : [middle, end] };
      // A prompt that shares less is another conversation, and goes on by itself.
      const isNext = (each: Trail): boolean => each === best && 2 * common >= each.blocks.length;
      trails = within([trail, ...trails.filter((each) => !isNext(each))], maxSize);
      return { text: end.text, hash: end.digest.read() };
    },
  };
}

/** Conversations that go on side by side; the newest is looked at first. */
const MAX_TRAILS = 64;

/** One prompt, and where its projection stood after some of its blocks, in growing order. */
interface Trail {
  readonly blocks: readonly Block[];
  readonly hash: Hash;
  readonly marks: readonly Mark[];
}

/** The text of the first `count` blocks. Its digest is never added to: whoever goes on copies it. */
interface Mark {
  readonly count: number;
  readonly text: string;
  readonly digest: GrowingHash;
}

const startOf = (digest: GrowingHash): Mark => ({ count: 0, text: '', digest });

function goOn(mark: Mark, blocks: readonly Block[], count: number): Mark {
  if (mark.count >= count) return mark;
  const digest = mark.digest.copy();
  let { text } = mark;
  let added = '';
  for (let at = mark.count; at < count; at += 1) {
    const next = (blocks[at] as Block).text;
    if (next === '') continue;
    added += text === '' && added === '' ? next : `${BLOCK_SEPARATOR}${next}`;
  }
  digest.add(added);
  // Not joined: a text that nobody reads as a whole is never copied.
  text += added;
  return { count, text, digest };
}

function joinWhole(blocks: readonly Block[], hash: Hash): Joined {
  const text = joinBlocks(blocks);
  return { text, hash: hash(text) };
}

function commonBlocks(one: readonly Block[], other: readonly Block[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

/** The newest trails whose texts have room. */
function within(trails: readonly Trail[], maxSize: number): readonly Trail[] {
  let size = 0;
  return trails.slice(0, MAX_TRAILS).filter(({ marks }) => {
    size += marks.reduce((sum, { text }) => sum + text.length, 0);
    return size <= maxSize;
  });
}
