import { CHINESE } from './obligation/chinese.js';
import { ENGLISH } from './obligation/english.js';
import { FRENCH } from './obligation/french.js';
import { GERMAN } from './obligation/german.js';
import { ITALIAN } from './obligation/italian.js';
import { JAPANESE } from './obligation/japanese.js';
import { type Language, narrowed } from './obligation/language.js';
import type { Force, Obligation } from './obligation/obligation.js';
import { PORTUGUESE } from './obligation/portuguese.js';
import { SPANISH } from './obligation/spanish.js';

export type { Obligation } from './obligation/obligation.js';

/**
 * The obligations of a text, in eight languages: sentences that demand, forbid or advise, and the points listed under
 * a title such as `Always:` or `Never:`. A sentence that both demands and forbids counts as forbidding. What stands in
 * a code fence or in quotes is an example.
 */
export function findObligations(text: string): readonly Obligation[] {
  const found: Obligation[] = [];
  let title: Force | undefined;
  for (const { content, isPoint } of linesOf(text)) {
    const announced = titleOf(content);
    if (announced !== undefined) {
      title = announced;
      continue;
    }
    if (title !== undefined && isPoint) {
      found.push({ force: title, text: fold(content) });
      continue;
    }
    title = undefined;
    for (const sentence of sentencesOf(content)) {
      const force = forceOf(sentence);
      if (force !== undefined) found.push({ force, text: fold(sentence) });
    }
  }
  return found;
}

/** What one sentence demands of its reader; undefined when it only tells, asks or permits. */
export function forceOf(sentence: string): Force | undefined {
  const plain = plainOf(sentence.slice(0, MAX_SENTENCE));
  if (plain === '' || /[?？]$/u.test(plain)) return undefined;
  if (/[\u3040-\u30ff]/u.test(plain)) return forceIn(JAPANESE, plain);
  if (/[\u4e00-\u9fff]/u.test(plain)) return forceIn(CHINESE, plain);
  const narrow = narrowed(plain);
  for (const language of languagesOf(narrow)) {
    makeReady(language);
    const force = forceIn(language, narrow);
    if (force !== undefined) return force;
  }
  return undefined;
}

function forceIn({ harmless, forces, isOrder }: Language, plain: string): Force | undefined {
  // What is left of a condition still stands before its order.
  const rest = plain
    .replace(harmless, (found) => CONDITION.exec(found)?.[0] ?? ' x ')
    .replace(/\s+/gu, ' ')
    .trim();
  const said = forces.find(([, pattern]) => pattern.test(rest));
  return said ? said[0] : isOrder(rest) ? 'MUST' : undefined;
}

/**
 * The engine compiles a pattern for its interpreter first, which takes several times as long as machine code where the
 * pattern has hundreds of words. A pattern that meets a long text first goes to machine code at once.
 */
function makeReady(language: Language): void {
  if (READY.has(language)) return;
  READY.add(language);
  forceIn(language, LONG);
}

const READY = new Set<Language>();
/** Fits no pattern, so that each is tried. The engine takes 1,000 characters for long. */
const LONG = '#'.repeat(1000);

/** Whoever demands something says so before this. */
const MAX_SENTENCE = 600;

const CONDITION =
  /^(?:if|when|whenever|while|where|because|since|unless|until|as|si|cuando|se|quando|caso|wenn|falls|lorsque|quand|s['’]ils?|qualora) /u;

const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN];

/** The languages that a sentence in Latin letters may be in, likeliest first: short sentences share their words with several. */
function languagesOf(narrow: string): readonly Language[] {
  const scored = LANGUAGES.map((language) => ({
    language,
    score: narrow.match(language.known)?.length ?? 0,
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score >= best - 1)
    .sort((one, other) => other.score - one.score)
    .map(({ language }) => language);
}

/** The sentence in lower case without marks, labels, quotes and code. */
function plainOf(sentence: string): string {
  return sentence
    .replace(/`[^`]*`/gu, 'x')
    .replace(/"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』/gu, 'x')
    .replace(/\*\*|__|(?<!\p{L})[*_](?=\S)|(?<=\S)[*_](?!\p{L})/gu, '')
    .replace(/^[\s>#]+/u, '')
    .replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/u, '')
    .replace(LABEL, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** `Note:`, `Rule 3:`, `WICHTIG –`: what stands before a sentence and is none. */
const LABEL =
  /^(?:note|important|rule|warning|caution|tip|hint|reminder|step|security|style|wichtig|hinweis|achtung|regel|schritt|important|attention|remarque|règle|étape|importante|nota|aviso|regla|paso|regra|passo|attenzione|regola|passaggio|重要|注意|注|规则|ルール|警告|提示)\s*(?:\d+|[a-z])?\s*[:：—–]\s*/iu;

function titleOf(content: string): Force | undefined {
  if (!/[:：]$/u.test(content.replace(/\*\*$/u, ''))) return undefined;
  const title = content
    .replace(/^#+\s*|\*\*|[:：]/gu, '')
    .trim()
    .toLowerCase();
  for (const { titles } of [...LANGUAGES, JAPANESE, CHINESE])
    for (const force of FORCES) if (titles[force].test(title)) return force;
  return undefined;
}

const FORCES: readonly Force[] = ['NEVER', 'MUST', 'SHOULD'];

interface Line {
  readonly content: string;
  readonly isPoint: boolean;
}

/** The lines of a text outside code fences; one that a line break in mid-sentence has cut is whole again. */
function linesOf(text: string): readonly Line[] {
  const lines: { content: string; isPoint: boolean }[] = [];
  let fence: string | undefined;
  let isOpen = false;
  for (const line of text.split(/\r\n?|\n/u)) {
    const mark = /^\s*(```+|~~~+)/u.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      isOpen = false;
      continue;
    }
    const content = line.replace(LIST_MARK, '').trim();
    if (fence !== undefined || content === '') {
      isOpen = false;
      continue;
    }
    const isPoint = LIST_MARK.test(line);
    const last = lines.at(-1);
    const goesOn = isOpen && !isPoint && /^\p{Ll}/u.test(content) && last !== undefined;
    if (goesOn && last !== undefined) last.content += ` ${content}`;
    else lines.push({ content, isPoint });
    isOpen = !/[.!?:;。！？：；]["'”’)*]*$/u.test(content) && !/^#/u.test(content);
  }
  return lines;
}

/** Split behind what ends a sentence, not behind abbreviations. */
const sentencesOf = (content: string): readonly string[] =>
  content
    .split(
      /(?<=[.!?;]["'”’)*]*)(?<!\b(?:e\.g|i\.e|etc|cf|vs|approx|no|nr|bzw|z\.b|u\.a|d\.h|p\.ex|p\.e|ej|sr|sra|dr|mr|ms|mrs|st|ecc|es)\.)\s+|(?<=[。！？；])/iu,
    )
    .filter((sentence) => sentence.trim() !== '');

const fold = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;
