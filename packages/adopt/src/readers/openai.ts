import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet, ImportDraft } from '../draft.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { type Marker, markerReader } from '../template/markers.js';
import { readPlain } from '../template/plain.js';
import type { TemplateReader } from '../template/tokens.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import { type MappedText, mappedRuns } from '../text/mapped.js';
import { nothingRead, readJsonSource } from './json-source.js';
import { modelConfig } from './openai-config.js';
import { chooseVersions, type Versioned } from './versions.js';

/** Prompts that OpenAI kept (`pmpt_…`): the exchange file with versions, or a saved response whose variables hold markers. */
export const openaiReader: FormatReader = {
  id: 'openai',
  title: 'OpenAI: a file of reusable prompts, or a saved response with ⟦markers⟧',
  detect: (path, head) =>
    path.endsWith('.json') &&
    (/"openai_prompt_id"\s*:/.test(head) ||
      (/"pmpt_/.test(head) && /"(?:instructions|versions)"\s*:/.test(head))),
  read: (file, how) =>
    readJsonSource(file, (json, report) =>
      member(json.root, 'instructions') === undefined
        ? readFile(file, json, how, report)
        : readResponse(file, json, how, report),
    ),
};

interface StoredVersion extends Versioned {
  readonly node: PlacedJson;
  readonly id: string | undefined;
  readonly written: string;
}

function readFile(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const roots = json.root.kind === 'array' ? json.root.items : [json.root];
  const versions = roots.flatMap((root) => versionsOf(root, json, report));
  const book = new InputBook(report);
  const sheets = chooseVersions(versions, how, report, ({ node }) => json.at(node.start)).flatMap(
    ({ prompt, name }) => {
      const messages = itemsOf(member(prompt.node, 'messages'));
      const config = member(prompt.node, 'config');
      return sheetFrom({ json, report, book }, messages, readPlain, prompt.node.start, (rest) => {
        const read = modelConfig(config, json, report);
        const meta = {
          source: provenance(file, 'openai', prompt.written),
          ...(prompt.id === undefined ? {} : { promptId: prompt.id }),
          ...(prompt.labels.length > 0 ? { labels: prompt.labels } : {}),
        };
        return { ...rest, ...read, name, title: prompt.name, meta: { ...meta, ...read.meta } };
      });
    },
  );
  return { ...nothingRead(report), sheets };
}

function versionsOf(root: PlacedJson, json: JsonDocument, report: Reporter): readonly StoredVersion[] {
  const id = stringOf(member(root, 'openai_prompt_id')) ?? stringOf(member(root, 'id'));
  const list = itemsOf(member(root, 'versions'));
  if (list.length === 0) {
    report.error(
      'E_IMPORT_SYNTAX',
      json.at(root.start),
      'A file of prompts has versions, each with messages; a request that only names a prompt by its id does not hold its text',
    );
    return [];
  }
  const name = stringOf(member(root, 'name')) ?? id ?? 'prompt';
  const production = written(member(root, 'production_version'));
  return list.map((node, index) => {
    const version = written(member(node, 'version')) ?? String(index + 1);
    const number = Number(version);
    const labels = version === production ? ['production'] : [];
    return {
      node,
      id,
      name,
      labels,
      written: version,
      version: Number.isFinite(number) ? number : index + 1,
    };
  });
}

const written = (node: PlacedJson | undefined): string | undefined =>
  node?.kind === 'string' || (node?.kind === 'scalar' && node.value !== null)
    ? String(node.value)
    : undefined;

function readResponse(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const prompt = member(json.root, 'prompt');
  const id = stringOf(member(prompt, 'id'));
  const markers = markersOf(member(prompt, 'variables'), json, report);
  const instructions = member(json.root, 'instructions');
  if (markers === undefined) return nothingRead(report);
  const book = new InputBook(report);
  const messages = instructions?.kind === 'array' ? instructions.items : undefined;
  const read = markerReader(markers);
  const version = written(member(prompt, 'version'));
  const name = how.name ?? id ?? 'openai-prompt';
  const complete = (
    rest: Omit<DraftSheet, 'name' | 'meta' | 'params' | 'tools' | 'capabilities'>,
  ): DraftSheet => {
    const config = modelConfig(json.root, json, report, [
      'instructions',
      'prompt',
      'output',
      'id',
      'object',
      'usage',
      'status',
      'created_at',
      'input',
      'error',
      'incomplete_details',
    ]);
    const source = provenance(file, 'openai', version);
    return {
      ...rest,
      ...config,
      name,
      meta: { source, ...(id === undefined ? {} : { promptId: id }), ...config.meta },
    };
  };
  if (instructions?.kind === 'string') {
    const single = new Messages(report);
    single.add(
      'system',
      templateParts(json.mapped(instructions), { read, book, report, required: true }),
      json.at(instructions.start),
    );
    if (!single.isWhole || single.blocks.length === 0) return nothingRead(report);
    return {
      ...nothingRead(report),
      sheets: [complete({ inputs: inputsFor(single.blocks, book), blocks: single.blocks })],
    };
  }
  if (messages === undefined) {
    report.error(
      'E_IMPORT_SYNTAX',
      json.at(json.root.start),
      'The response holds no instructions, so there is no text to import',
    );
    return nothingRead(report);
  }
  return {
    ...nothingRead(report),
    sheets: sheetFrom({ json, report, book }, messages, read, json.root.start, complete),
  };
}

/** The markers that stand for variables; undefined when a variable has a value that is not one. */
function markersOf(
  variables: PlacedJson | undefined,
  json: JsonDocument,
  report: Reporter,
): readonly Marker[] | undefined {
  const markers: Marker[] = [];
  let isWhole = true;
  for (const [name, node] of variables?.kind === 'object' ? variables.entries : []) {
    const text = stringOf(node) ?? stringOf(member(node, 'text'));
    if (text !== undefined && /^⟦[^⟦⟧]+⟧$/.test(text)) markers.push({ name, text });
    else {
      isWhole = false;
      report.warning(
        'W_IMPORT_MARKER',
        json.at(node.start),
        `The variable ${quote(name)} was called with a value that is not a marker such as "⟦${name}⟧", so its place in the text is not known; the prompt was not imported`,
      );
    }
  }
  return isWhole ? markers : undefined;
}

interface Reading {
  readonly json: JsonDocument;
  readonly report: Reporter;
  readonly book: InputBook;
}

function sheetFrom(
  { json, report, book }: Reading,
  entries: readonly PlacedJson[],
  read: TemplateReader,
  start: number,
  complete: (rest: Pick<DraftSheet, 'inputs' | 'blocks'>) => DraftSheet,
): readonly DraftSheet[] {
  const messages = new Messages(report);
  for (const entry of entries) {
    const at = json.at(entry.start);
    const text = contentText(member(entry, 'content'), json);
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
export function contentText(content: PlacedJson | undefined, json: JsonDocument): MappedText | undefined {
  if (content?.kind === 'string') return json.mapped(content);
  if (content?.kind !== 'array' || content.items.length === 0) return undefined;
  let text = '';
  const runs: { start: number; place: { line: number; column: number } }[] = [];
  for (const part of content.items) {
    const inner = member(part, 'text');
    if (
      inner?.kind !== 'string' ||
      !/^(?:input_|output_)?text$/.test(stringOf(member(part, 'type')) ?? 'text')
    )
      return undefined;
    if (inner.value !== '') runs.push({ start: text.length, place: json.mapped(inner).at(0) });
    text += inner.value;
  }
  return mappedRuns(text, runs);
}
