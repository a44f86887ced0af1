import { guard } from '@cuebook/guard';
import { type InputBook, templateParts } from '../build.js';
import { quote } from '../diagnostic.js';
import type { DraftPart, DraftText } from '../draft.js';
import { sheetName } from '../names.js';
import { renamed } from '../template/go.js';
import { readMustache } from '../template/mustache/read.js';
import { mergeTokens, type TemplateToken } from '../template/tokens.js';
import { type MappedText, mappedSlice } from '../text/mapped.js';
import type { Expanded, LangfusePrompt, LangfuseReading, PromptIndex } from './langfuse-prompt.js';

const REFERENCE = /@@@langfusePrompt:name=([^|@]+)\|(version|label)=([^|@]+)@@@/g;
/** Resolved texts past this many characters are refused: references that repeat each other grow without end. */
const MAX_RESOLVED = 1_000_000;
const MAX_REFERENCES = 1000;

/** A content with references as parts: each becomes an include, or its text with `--inline`. Undefined when one cannot be kept. */
export function resolveReferences(
  source: MappedText,
  reading: LangfuseReading,
): readonly DraftPart[] | undefined {
  const { report } = reading;
  const whole = expand(source.text, reading, []);
  if (!('text' in whole)) {
    report.warning(
      'W_IMPORT_REFERENCE',
      source.at(whole.at),
      `${whole.problem}; the prompt was not imported`,
    );
    return undefined;
  }
  const parts = partsOf(source, reading);
  if (parts === undefined) return undefined;
  if (
    guard(
      'adopt.straddle',
      !sameTokens(readMustache(whole.text).tokens, flatten(parts, reading.texts), reading.book),
    )
  ) {
    report.warning(
      'W_IMPORT_REFERENCE',
      source.at(0),
      'A tag begins on one side of a reference and ends on the other, or a line changes with it; the prompt was not imported',
    );
    return undefined;
  }
  return parts;
}

interface Broken {
  readonly problem: string;
  readonly at: number;
}

/** The text with every reference resolved, as the server would send it. */
function expand(text: string, reading: LangfuseReading, path: readonly string[]): Expanded | Broken {
  let out = '';
  let count = 0;
  let at = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const target = targetOf(match, reading.prompts);
    if (typeof target === 'string') return { problem: target, at: match.index };
    const key = `${target.name}@${target.version}`;
    if (guard('adopt.cycle', path.includes(key)))
      return { problem: `The reference ${quote(match[0], 120)} leads back to itself`, at: match.index };
    if (target.prompt.kind !== 'string')
      return {
        problem: `The reference ${quote(match[0], 120)} names a chat prompt, which cannot be included`,
        at: match.index,
      };
    const inner = reading.expanded.get(key) ?? expand(target.prompt.value, reading, [...path, key]);
    if (!('text' in inner)) return { ...inner, at: match.index };
    reading.expanded.set(key, inner);
    out += text.slice(at, match.index) + inner.text;
    count += 1 + inner.count;
    const isTooMuch = out.length > MAX_RESOLVED || count > MAX_REFERENCES;
    if (guard('adopt.expand', isTooMuch))
      return { problem: 'The references make a text that is too long', at: match.index };
    at = match.index + match[0].length;
  }
  return { text: out + text.slice(at), count };
}

function targetOf(match: RegExpMatchArray, prompts: PromptIndex): LangfusePrompt | string {
  const [written, name = '', by, which = ''] = match;
  return (
    prompts.find(name, by === 'version' ? by : 'label', which) ??
    `The reference ${quote(written, 120)} names a prompt that is not in the file`
  );
}

function partsOf(source: MappedText, reading: LangfuseReading): readonly DraftPart[] | undefined {
  const { how, report, book, prompts, texts, json } = reading;
  const parts: DraftPart[] = [];
  const add = (from: number, to: number): boolean => {
    const read = templateParts(mappedSlice(source, from, to), {
      read: readMustache,
      book,
      report,
      required: false,
    });
    parts.push(...(read ?? []));
    return read !== undefined;
  };
  let at = 0;
  for (const match of source.text.matchAll(REFERENCE)) {
    const target = targetOf(match, prompts);
    if (typeof target === 'string' || target.prompt.kind !== 'string') return undefined;
    if (!add(at, match.index)) return undefined;
    const name = textNameOf(target, prompts);
    if (!reading.parts.has(name)) reading.parts.set(name, partsOf(json.mapped(target.prompt), reading));
    const inner = reading.parts.get(name);
    if (inner === undefined) {
      const message = `The reference ${quote(match[0], 120)} names a prompt that cannot be kept; the prompt was not imported`;
      report.warning('W_IMPORT_REFERENCE', source.at(match.index), message);
      return undefined;
    }
    if (how.inline === true) parts.push(...inner);
    else if (inner.length > 0) {
      if (!texts.has(name)) texts.set(name, { name, parts: inner });
      parts.push({ include: name });
    }
    at = match.index + match[0].length;
  }
  return add(at, source.text.length) ? parts : undefined;
}

/** A text per version: the name alone for the highest, with its number for others. */
function textNameOf({ name, version }: LangfusePrompt, prompts: PromptIndex): string {
  return `${sheetName(name)}${version === prompts.newest(name) ? '' : `.v${version}`}`;
}

type Flat = Exclude<DraftPart, { readonly include: string }>;

function flatten(parts: readonly DraftPart[], texts: ReadonlyMap<string, DraftText>): readonly Flat[] {
  return parts.flatMap((part): readonly Flat[] => {
    if (!('include' in part)) return [part];
    const text = texts.get(part.include);
    return text === undefined || 'markdown' in text ? [] : flatten(text.parts, texts);
  });
}

function sameTokens(
  tokens: readonly TemplateToken[] | undefined,
  flat: readonly Flat[],
  book: InputBook,
): boolean {
  if (tokens === undefined) return false;
  const merged = mergeTokens(
    flat.map(
      (part): TemplateToken =>
        'text' in part
          ? { kind: 'text', text: part.text, start: 0 }
          : 'input' in part
            ? { kind: 'variable', name: part.input, start: 0, end: 0 }
            : { kind: 'section', pieces: part.template, start: 0, end: 0 },
    ),
  );
  return (
    merged.length === tokens.length &&
    merged.every((token, index) => {
      const other = tokens[index] as TemplateToken;
      if (token.kind === 'text') return other.kind === 'text' && token.text === other.text;
      const given = (name: string): string => book.names.given.get(name) ?? name;
      if (token.kind === 'variable') return other.kind === 'variable' && given(other.name) === token.name;
      return (
        other.kind === 'section' &&
        JSON.stringify(renamed(other.pieces, given)) === JSON.stringify(token.pieces)
      );
    })
  );
}
