import { type InputBook, inputsFor, Messages, templateParts } from '../build.js';
import type { Reporter } from '../diagnostic.js';
import type { DraftSheet } from '../draft.js';
import type { TemplateReader } from '../template/tokens.js';
import { type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import { type MappedText, mappedRuns } from '../text/mapped.js';
import { sayLostKeys } from './json-source.js';

/** What reading the messages of one file shares. */
export interface OpenaiReading {
  readonly json: JsonDocument;
  readonly report: Reporter;
  readonly book: InputBook;
}

/** The sheet of a list of messages; none when a message cannot be kept, which is reported. */
export function sheetFrom(
  { json, report, book }: OpenaiReading,
  entries: readonly PlacedJson[],
  read: TemplateReader,
  start: number,
  complete: (rest: Pick<DraftSheet, 'inputs' | 'blocks'>) => DraftSheet,
): readonly DraftSheet[] {
  const messages = new Messages(report);
  for (const entry of entries) {
    const at = json.at(entry.start);
    sayLostKeys(entry, ['role', 'content', 'type', 'id', 'status'], json, report);
    const type = member(entry, 'type');
    const isMessage = type === undefined || stringOf(type) === 'message';
    const text = isMessage ? contentText(member(entry, 'content'), json, report) : undefined;
    if (text === undefined) {
      report.warning(
        'W_IMPORT_MEDIA',
        at,
        'The content of this message is not text; the prompt was not imported',
      );
      messages.giveUp();
      continue;
    }
    messages.add(
      stringOf(member(entry, 'role')) ?? '',
      templateParts(text, { read, book, report, required: true }),
      at,
    );
  }
  if (!messages.isWhole) return [];
  if (messages.blocks.length === 0) {
    report.warning(
      'W_IMPORT_EMPTY',
      json.at(start),
      'The prompt has no message with text; it was not imported',
    );
    return [];
  }
  return [complete({ inputs: inputsFor(messages.blocks, book), blocks: messages.blocks })];
}

/** A content as text: a string, or text parts one after the other. */
function contentText(
  content: PlacedJson | undefined,
  json: JsonDocument,
  report: Reporter,
): MappedText | undefined {
  if (content?.kind === 'string') return json.mapped(content);
  if (content?.kind !== 'array' || content.items.length === 0) return undefined;
  let text = '';
  const runs: { start: number; place: { line: number; column: number } }[] = [];
  for (const part of content.items) {
    const inner = member(part, 'text');
    const type = member(part, 'type');
    const isText = type === undefined || /^(?:input_|output_)?text$/.test(stringOf(type) ?? '');
    if (inner?.kind !== 'string' || !isText) return undefined;
    sayLostKeys(part, ['type', 'text'], json, report);
    if (inner.value !== '') runs.push({ start: text.length, place: json.mapped(inner).at(0) });
    text += inner.value;
  }
  return mappedRuns(text, runs);
}

/** A version as it is written: a text, or a number. */
export const writtenVersion = (node: PlacedJson | undefined): string | undefined =>
  node?.kind === 'string' || (node?.kind === 'scalar' && typeof node.value === 'number')
    ? String(node.value)
    : undefined;
