import type { Shape } from '@cuebook/api/shapes';

/**
 * Why an answer that fits `after` might not fit `before`. Empty: every answer that the new shape takes, the old one
 * takes as well, so whoever reads answers by the old shape can go on.
 */
export function narrowingProblems(before: Shape, after: Shape, at: string): readonly string[] {
  if (before.type === 'nullable')
    return narrowingProblems(before.shape, after.type === 'nullable' ? after.shape : after, at);
  // A choice of words is a text as well, and a whole number is a number.
  if (before.type === 'string' && after.type === 'choice') return choiceInText(before, after.of, at);
  if (before.type === 'number' && after.type === 'integer') return rangeProblems(before, after, at);
  if (before.type !== after.type) return [`${at} stays ${NAMES[before.type]}`];
  switch (before.type) {
    case 'string':
    case 'number':
    case 'integer':
      return rangeProblems(before, after as Ranged, at);
    case 'choice': {
      const strange = (after as Of<'choice'>).of.filter((word) => !before.of.includes(word));
      return strange.map((word) => `${at} has no choice "${word}"`);
    }
    case 'array': {
      const list = after as Of<'array'>;
      return [...rangeProblems(before, list, at), ...narrowingProblems(before.items, list.items, `${at}[]`)];
    }
    case 'object':
      return membersProblems(before.members, (after as Of<'object'>).members, at, true);
    case 'variant': {
      const other = after as Of<'variant'>;
      if (before.on !== other.on) return [`${at} is told apart by ${before.on}`];
      // A form that is asked for no more is fine; a new one is not.
      return membersProblems(before.of, other.of, at, false);
    }
  }
}

type Of<Type> = Extract<Shape, { readonly type: Type }>;
interface Ranged {
  readonly min: number;
  readonly max: number;
}

/** Lengths of texts count without the space around them, for either shape. */
const rangeProblems = (before: Ranged, after: Ranged, at: string): readonly string[] => [
  ...(after.min < before.min ? [`${at}: min is at least ${before.min}`] : []),
  ...(after.max > before.max ? [`${at}: max is at most ${before.max}`] : []),
];

function choiceInText({ min, max }: Ranged, words: readonly string[], at: string): readonly string[] {
  const strange = words.filter((word) => {
    const length = [...word.trim()].length;
    return length < min || length > max;
  });
  return strange.map((word) => `${at}: "${word}" does not have ${min} to ${max} characters`);
}

function membersProblems(
  before: Readonly<Record<string, Shape>>,
  after: Readonly<Record<string, Shape>>,
  at: string,
  areAllNeeded: boolean,
): readonly string[] {
  const problems: string[] = [];
  for (const [name, shape] of Object.entries(before)) {
    const own = Object.hasOwn(after, name) ? after[name] : undefined;
    if (own !== undefined) problems.push(...narrowingProblems(shape, own, `${at}.${name}`));
    else if (areAllNeeded) problems.push(`${at}.${name} is missing`);
  }
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  return [...problems, ...added.map((name) => `${at}.${name} is new`)];
}

const NAMES: Readonly<Record<Shape['type'], string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  choice: 'a choice',
  integer: 'a whole number',
  number: 'a number',
  nullable: 'a value or null',
  variant: 'one of several objects',
};
