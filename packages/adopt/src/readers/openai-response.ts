import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, ReadHow } from '../reader.js';
import { type Marker, markerReader } from '../template/markers.js';
import { type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import { nothingRead, sayLostKeys, sayUnfit } from './json-source.js';
import { modelConfig } from './openai-config.js';
import { sheetFrom, writtenVersion } from './openai-messages.js';

/** A saved response: its instructions with the markers of its variables. */
export function readResponse(
  file: ForeignFile,
  json: JsonDocument,
  how: ReadHow,
  report: Reporter,
): ImportDraft {
  const prompt = member(json.root, 'prompt');
  const id = stringOf(member(prompt, 'id'));
  sayUnfit(json.root, { prompt: 'a map' }, json, report);
  sayUnfit(prompt, { id: 'a text', variables: 'a map', version: 'a text or number' }, json, report);
  sayLostKeys(prompt, ['id', 'variables', 'version'], json, report);
  const markers = markersOf(member(prompt, 'variables'), json, report);
  const instructions = member(json.root, 'instructions');
  if (markers === undefined) return nothingRead(report);
  const book = new InputBook(report);
  const messages = instructions?.kind === 'array' ? instructions.items : undefined;
  const read = markerReader(markers);
  const version = writtenVersion(member(prompt, 'version'));
  const name = sheetName(how.name ?? id ?? 'openai-prompt');
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
  const sayUnused = (): void => {
    const unused = markers.filter(({ name: variable }) => !book.names.given.has(variable));
    if (unused.length > 0)
      report.info(
        'W_IMPORT_MARKER',
        json.at(json.root.start),
        `The variables ${unused.map((each) => quote(each.name)).join(', ')} are nowhere in the text`,
      );
  };
  if (instructions?.kind === 'string') {
    const single = new Messages(report);
    single.add(
      'system',
      templateParts(json.mapped(instructions), { read, book, report, required: true }),
      json.at(instructions.start),
    );
    sayUnused();
    if (single.isWhole && single.blocks.length === 0)
      report.warning('W_IMPORT_EMPTY', json.at(instructions.start), EMPTY);
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
  const sheets = sheetFrom({ json, report, book }, messages, read, json.root.start, complete);
  sayUnused();
  return { ...nothingRead(report), sheets };
}

const EMPTY = 'The instructions have no text; the prompt was not imported';

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
    const other = markers.find((each) => each.text === text);
    if (other !== undefined) {
      isWhole = false;
      report.warning(
        'W_IMPORT_MARKER',
        json.at(node.start),
        `The variables ${quote(other.name)} and ${quote(name)} were called with the same marker, so their places cannot be told apart; the prompt was not imported`,
      );
    } else if (text !== undefined && /^⟦[^⟦⟧]+⟧$/.test(text)) markers.push({ name, text });
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
