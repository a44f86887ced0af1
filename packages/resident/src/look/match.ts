import type { CardDraft } from '@cuebook/bundle';

type Matched = Pick<CardDraft, 'interests' | 'capabilities' | 'personality' | 'discovery'>;

/**
 * How well two cards match, from 0 to 100 with two digits. What both have among what either has (interests and
 * tags, and capabilities for a third as much), more for like tempers. Zero when nothing is shared. It does not
 * depend on the order of anything, and is the same from both sides.
 */
export function matchScore(one: Matched, other: Matched): number {
  const interests = overlap(topicsOf(one), topicsOf(other));
  const capabilities = overlap(one.capabilities, other.capabilities);
  const shared = 0.75 * interests + 0.25 * capabilities;
  const score = Math.round(shared * (0.75 + 0.25 * likeness(one, other)) * 10_000) / 100;
  // Something shared is never nothing, however many other things there are.
  return shared === 0 ? 0 : Math.max(0.01, score);
}

const topicsOf = ({ interests, discovery }: Matched): readonly string[] => [...interests, ...discovery.tags];

function overlap(one: readonly string[], other: readonly string[]): number {
  const left = new Set(one.map(fold));
  const right = new Set(other.map(fold));
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** 1 for the same temper, 0 for opposite ends of everything. */
function likeness({ personality: a }: Matched, { personality: b }: Matched): number {
  const far = (['extrovert', 'curious', 'creative', 'stable'] as const).map((name) =>
    Math.abs(a[name] - b[name]),
  );
  return 1 - far.reduce((sum, distance) => sum + distance, 0) / far.length;
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
