/** Something the prompt demands or forbids, and how firmly. */
export interface Obligation {
  /** `MUST` for what must be done, `NEVER` for what must not, `SHOULD` for advice. */
  readonly force: 'MUST' | 'NEVER' | 'SHOULD';
  /** The sentence, white space folded. */
  readonly text: string;
}

/**
 * The obligations of a text: sentences with must, shall, always, required, never, must not, do not, should;
 * and the points listed under a heading such as `Always:` or `Never:`. A sentence that both demands and
 * forbids counts as forbidding.
 */
export function findObligations(text: string): readonly Obligation[] {
  const found: Obligation[] = [];
  let heading: Obligation['force'] | undefined;
  for (const line of text.split('\n')) {
    const content = line.replace(LIST_MARK, '').trim();
    if (content === '') continue;
    const announced = HEADINGS.find(([pattern]) => pattern.test(content.replace(/^#+\s*|\*\*/g, '')));
    if (announced) {
      heading = announced[1];
      continue;
    }
    if (heading !== undefined && LIST_MARK.test(line)) {
      found.push({ force: heading, text: fold(content) });
      continue;
    }
    heading = undefined;
    for (const sentence of content.split(/(?<=[.!?;])\s+/)) {
      const force = FORCES.find(([pattern]) => pattern.test(sentence));
      if (force) found.push({ force: force[1], text: fold(sentence) });
    }
  }
  return found;
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();

const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

const HEADINGS: readonly (readonly [RegExp, Obligation['force']])[] = [
  [/^(?:never|must not|do not|don['’]t|forbidden|prohibited)\s*:$/i, 'NEVER'],
  [/^(?:always|must|required|do|requirements?)\s*:$/i, 'MUST'],
  [/^(?:should|recommended|prefer)\s*:$/i, 'SHOULD'],
];

const FORCES: readonly (readonly [RegExp, Obligation['force']])[] = [
  [
    /\b(?:must|shall|may|should)\s+(?:not|never)\b|\bnever\b|\bdo not\b|\bdon['’]t\b|\bcannot\b|\bforbidden\b|\bprohibited\b/i,
    'NEVER',
  ],
  [/\b(?:must|shall|always|required|mandatory)\b/i, 'MUST'],
  [/\b(?:should|recommended|prefer)\b/i, 'SHOULD'],
];
