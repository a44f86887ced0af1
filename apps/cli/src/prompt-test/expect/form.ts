import type { Failed } from './failed.js';
import { short } from './failed.js';

/** How many there may be; one of the two is there. */
export interface CountBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What can be said of the form of a text without a model. */
export interface FormChecks {
  readonly words?: CountBounds | undefined;
  readonly sentences?: CountBounds | undefined;
  readonly paragraphs?: CountBounds | undefined;
  readonly lines?: CountBounds | undefined;
  readonly bullets?: CountBounds | undefined;
  readonly startsWith?: string | undefined;
  readonly endsWith?: string | undefined;
  readonly language?: AnswerLanguage | undefined;
  readonly case?: 'upper' | 'lower' | undefined;
  readonly count?: (CountBounds & { readonly of: string }) | undefined;
}

export const ANSWER_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'ja', 'zh'] as const;
export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number];

/** What is wrong with the form of a text. A text without words meets none of these. */
export function checkForm(text: string, checks: FormChecks, path: string): readonly Failed[] {
  const asked = FORMS.filter((name) => checks[name] !== undefined);
  if (asked.length > 0 && text.trim() === '')
    return asked.map((name) => ({ path: `${path}.${name}`, message: 'it is empty' }));
  return asked.flatMap((name) => {
    const message = problemOf(name, text.trim(), checks);
    return message === undefined ? [] : [{ path: `${path}.${name}`, message }];
  });
}

const FORMS = [
  ...(['words', 'sentences', 'paragraphs', 'lines', 'bullets', 'count'] as const),
  ...(['startsWith', 'endsWith', 'language', 'case'] as const),
];

function problemOf(name: (typeof FORMS)[number], text: string, checks: FormChecks): string | undefined {
  switch (name) {
    case 'startsWith':
      return text.startsWith(checks.startsWith as string) ? undefined : `it begins "${short(text, 60)}"`;
    case 'endsWith':
      return text.endsWith(checks.endsWith as string) ? undefined : `it ends "${short(text.slice(-60), 60)}"`;
    case 'case': {
      const told = checks.case === 'upper' ? text.toUpperCase() : text.toLowerCase();
      return /\p{L}/u.test(text) && told === text ? undefined : `it is not all in ${checks.case} case`;
    }
    case 'language': {
      const found = languageOf(text);
      return found === checks.language ? undefined : `it is in ${found ?? 'no language that is known'}`;
    }
    case 'count':
      return outside(text.split(checks.count?.of as string).length - 1, checks.count as CountBounds);
    default:
      return outside(COUNTS[name](text), checks[name] as CountBounds);
  }
}

function outside(
  count: number,
  { min = 0, max = Number.POSITIVE_INFINITY }: CountBounds,
): string | undefined {
  return count >= min && count <= max ? undefined : `there are ${count}`;
}

const filled = (parts: readonly string[]): number => parts.filter((part) => part.trim() !== '').length;

/** A sentence ends with `.`, `!` or `?` before white space or the end; abbreviations count, in Chinese and Japanese 。 does. */
const COUNTS = {
  words: (text: string): number => (text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? []).length,
  sentences: (text: string): number => filled(text.split(/(?<=[.!?]["'”’)*]*)\s+|(?<=[。！？])/u)),
  paragraphs: (text: string): number => filled(text.split(/\n[ \t]*\n/u)),
  lines: (text: string): number => filled(text.split('\n')),
  bullets: (text: string): number => (text.match(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/gmu) ?? []).length,
};

/** The language whose small words a text has most of, by at least two and more than any other. */
function languageOf(text: string): AnswerLanguage | undefined {
  if (/[\u3040-\u30ff]/u.test(text)) return 'ja';
  if (/[\u4e00-\u9fff]/u.test(text)) return 'zh';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(SMALL).map(
    ([name, small]) => [name, words.filter((word) => small.has(word)).length] as const,
  );
  const [best, next] = [...scores].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] < 2 || best[1] === next?.[1]) return undefined;
  return best[0] as AnswerLanguage;
}

const small = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const SMALL: Readonly<Record<string, ReadonlySet<string>>> = {
  en: small(
    'the and of to is are was were you your it this that with for not have has will be on at by from as we they',
  ),
  de: small(
    'der die das und ist sind war nicht ein eine einen mit für auf den dem des wir sie ich von zu es im wird auch',
  ),
  fr: small(
    'le la les et est sont était pas un une des du avec pour sur dans nous vous je il elle que qui ce cette au',
  ),
  es: small(
    'el la los las y es son era no un una de del con para en nosotros usted que por su se lo al está',
  ),
  pt: small('o a os as e é são era não um uma de do da com para em nós você que por seu se ao está no na'),
  it: small(
    'il lo la i gli le e è sono era non un una di del della con per in noi lei che si al questo questa',
  ),
};
