import { InputBook, inputsFor, Messages, tokenPart } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet } from '../draft.js';
import { FreeNames } from '../free-name.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { type Marker, markerReader } from '../template/markers.js';
import type { TemplateToken } from '../template/tokens.js';
import { sayInvisible } from '../text/characters.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import type { LineColumn, MappedText } from '../text/mapped.js';
import { nothingRead, readJsonSource, sayLostKeys, sayUnfit } from './json-source.js';

/**
 * Prompts of an MCP server, from what it answered when it was called with markers: `{ prompts: [{ prompt, renders: [{
 * arguments, messages }] }] }`. A server never sends its template; where answers differ in more than the markers, the prompt
 * is a program and is refused.
 */
export const mcpReader: FormatReader = {
  id: 'mcp',
  title: 'MCP: prompts of a server, called with markers (--server COMMAND, or a file of its answers)',
  detect: (path, head) => path.endsWith('.json') && /"renders"\s*:/.test(head) && /"prompts"\s*:/.test(head),
  read: (file, how) =>
    readJsonSource(file, (json, report) => {
      const prompts = itemsOf(member(json.root, 'prompts'));
      sayLostKeys(json.root, ['prompts'], json, report);
      for (const prompt of prompts) sayLostKeys(prompt, ['prompt', 'renders'], json, report);
      if (prompts.length === 0)
        report.error(
          'E_IMPORT_SYNTAX',
          json.at(json.root.start),
          'The file holds no prompts with their answers',
        );
      const sheets = prompts.flatMap((prompt) => {
        const sheet = readPrompt(file, prompt, { json, report, how, isOne: prompts.length === 1 });
        return sheet === undefined ? [] : [{ sheet, at: json.at(prompt.start) }];
      });
      return { ...nothingRead(report), sheets: uniqueSheets(sheets, report) };
    }),
};

interface Reading {
  readonly json: JsonDocument;
  readonly report: Reporter;
  readonly how: ReadHow;
  readonly isOne: boolean;
}

interface Said {
  readonly role: string;
  readonly tokens: readonly TemplateToken[];
  readonly source: MappedText;
}

function readPrompt(
  file: ForeignFile,
  node: PlacedJson,
  { json, report, how, isOne }: Reading,
): DraftSheet | undefined {
  const prompt = member(node, 'prompt');
  const name = stringOf(member(prompt, 'name')) ?? 'prompt';
  const at = json.at(node.start);
  const refuse = (code: 'W_IMPORT_MARKER' | 'W_IMPORT_MEDIA', message: string): undefined => {
    report.warning(code, at, `${quote(name)}: ${message}; the prompt was not imported`);
    return undefined;
  };
  const renders = itemsOf(member(node, 'renders'));
  const refusal = renders.map((render) => member(render, 'error')).find((error) => error !== undefined);
  if (refusal !== undefined) {
    const words = stringOf(refusal) ?? '';
    return refuse(
      'W_IMPORT_MARKER',
      `the server refused a call with markers in place of values${words === '' ? '' : ` (${quote(words)})`}`,
    );
  }
  const said = renders.map((render) => readRender(render, json));
  const [first] = said;
  if (renders.length === 0)
    return refuse('W_IMPORT_MEDIA', 'the file lists it without an answer to prompts/get');
  if (first === undefined || said.some((each) => each === undefined))
    return refuse('W_IMPORT_MEDIA', 'the server answered with something else than text');
  const declared = new Map(
    itemsOf(member(prompt, 'arguments')).map((each) => [stringOf(member(each, 'name')) ?? '', each]),
  );
  const why = whyUntried([...declared.keys()], renders, (name) => isRequired(declared.get(name)));
  if (why !== undefined) return refuse('W_IMPORT_MARKER', why);
  for (const [index, other] of said.entries()) {
    const given = member(renders[index], 'arguments');
    const missing = [...declared.keys()].filter((each) => (stringOf(member(given, each)) ?? '') === '');
    if (shape(first, missing) !== shape(other ?? [], []))
      return refuse(
        'W_IMPORT_MARKER',
        missing.length === 0
          ? 'its text changes with the values'
          : `its text changes when ${missing.map((each) => quote(each)).join(', ')} is missing or empty`,
      );
  }
  const book = new InputBook(report);
  const messages = new Messages(report);
  for (const { role, tokens, source } of first) {
    sayInvisible(source, report);
    const parts = tokens.map((token) =>
      tokenPart(token, source, book, (argument) => isRequired(declared.get(argument))),
    );
    messages.add(role, parts, source.at(0));
  }
  const unused = [...declared.keys()].filter((each) => !book.names.given.has(each));
  if (unused.length > 0)
    report.info(
      'W_IMPORT_MARKER',
      at,
      `${quote(name)}: the arguments ${unused.map((each) => quote(each)).join(', ')} are nowhere in its text`,
    );
  if (messages.isWhole && messages.blocks.length === 0)
    report.warning('W_IMPORT_EMPTY', at, `The prompt ${quote(name)} has no text; it was not imported`);
  if (!messages.isWhole || messages.blocks.length === 0) return undefined;
  if (how.name === undefined && sheetName(name) !== name)
    report.info('W_IMPORT_NAME', at, `The prompt ${quote(name)} became the sheet ${quote(sheetName(name))}`);
  sayPrompt(prompt, renders, json, report);
  const description = stringOf(member(prompt, 'description'));
  const title = stringOf(member(prompt, 'title')) ?? description;
  return {
    name: sheetName(how.name === undefined ? name : isOne ? how.name : `${how.name}/${name}`),
    ...(title === undefined ? {} : { title }),
    meta: {
      source: provenance(file, 'mcp'),
      ...(description === undefined || description === title ? {} : { description }),
    },
    params: {},
    tools: [],
    capabilities: [],
    inputs: new Map(
      [...inputsFor(messages.blocks, book)].map(([input, draft]) => [
        input,
        { ...draft, ...descriptionOf(declared.get(draft.sourceName ?? input)) },
      ]),
    ),
    blocks: messages.blocks,
  };
}

/** What a prompt, its arguments and its answers say beside their words. */
function sayPrompt(
  prompt: PlacedJson | undefined,
  renders: readonly PlacedJson[],
  json: JsonDocument,
  report: Reporter,
): void {
  sayUnfit(prompt, { name: 'a text', title: 'a text', description: 'a text' }, json, report);
  sayLostKeys(prompt, ['name', 'title', 'description', 'arguments'], json, report);
  for (const argument of itemsOf(member(prompt, 'arguments'))) {
    sayUnfit(argument, { description: 'a text', required: 'true or false' }, json, report);
    sayLostKeys(argument, ['name', 'description', 'required'], json, report);
  }
  const description = stringOf(member(prompt, 'description'));
  for (const render of renders) {
    const isSame = stringOf(member(render, 'description')) === description;
    sayLostKeys(render, ['arguments', 'messages', ...(isSame ? ['description'] : [])], json, report);
    for (const message of itemsOf(member(render, 'messages'))) {
      sayLostKeys(message, ['role', 'content'], json, report);
      sayLostKeys(member(message, 'content'), ['type', 'text'], json, report);
    }
  }
}

const isRequired = (argument: PlacedJson | undefined): boolean => {
  const required = member(argument, 'required');
  return required?.kind === 'scalar' && required.value === true;
};

/**
 * Why the calls do not show where the arguments stand. Each of two calls needs a marker of its own for every argument,
 * and one call must leave out each argument that may be left out.
 */
function whyUntried(
  names: readonly string[],
  renders: readonly PlacedJson[],
  isNeeded: (name: string) => boolean,
): string | undefined {
  const given = renders.map((render) => {
    const all = member(render, 'arguments');
    return new Map(
      [...(all?.kind === 'object' ? all.entries : [])].map(([name, each]) => [name, stringOf(each)]),
    );
  });
  if (given.some((each) => [...each.keys()].some((name) => !names.includes(name))))
    return 'it was called with an argument that it does not declare';
  const full = given.filter((each) => each.size === names.length);
  const markers = full.slice(0, 2).flatMap((each) => [...each.values()]);
  const areApart =
    new Set(markers).size === markers.length && !markers.includes('') && !markers.includes(undefined);
  if (full.length < (names.length === 0 ? 1 : 2) || !areApart)
    return 'it was not called twice with different markers for all arguments';
  const untried = names.find((name) => !isNeeded(name) && given.every((each) => each.has(name)));
  return untried === undefined ? undefined : `it was not called without ${quote(untried)}`;
}

/** Sheets whose names become the same get a number, and that is reported. */
function uniqueSheets(
  sheets: readonly { readonly sheet: DraftSheet; readonly at: LineColumn }[],
  report: Reporter,
): readonly DraftSheet[] {
  const free = new FreeNames({ isFile: true });
  return sheets.map(({ sheet, at }) => {
    const name = free.give(sheet.name);
    if (name !== sheet.name)
      report.info(
        'W_IMPORT_NAME',
        at,
        `There is another prompt ${quote(sheet.name)}; this one became ${quote(name)}`,
      );
    return { ...sheet, name };
  });
}

function descriptionOf(argument: PlacedJson | undefined): { readonly description?: string } {
  const description = stringOf(member(argument, 'description'));
  return description === undefined ? {} : { description };
}

/** The messages of one answer with its markers as variables; undefined when one of them is not text. */
function readRender(render: PlacedJson, json: JsonDocument): readonly Said[] | undefined {
  const given = member(render, 'arguments');
  const markers: Marker[] = [...(given?.kind === 'object' ? given.entries : [])].map(([name, value]) => ({
    name,
    text: stringOf(value) ?? '',
  }));
  const read = markerReader(markers);
  const messages = itemsOf(member(render, 'messages'));
  const said = messages.flatMap((message): readonly Said[] => {
    const text = member(member(message, 'content'), 'text');
    if (text?.kind !== 'string' || stringOf(member(member(message, 'content'), 'type')) !== 'text') return [];
    const source = json.mapped(text);
    return [
      { role: stringOf(member(message, 'role')) ?? '', tokens: read(source.text).tokens ?? [], source },
    ];
  });
  return said.length === messages.length && said.length > 0 ? said : undefined;
}

/** What must be the same in every answer: roles, texts, and where each argument stands; `without` those that are missing. */
const shape = (said: readonly Said[], without: readonly string[]): string =>
  JSON.stringify(
    said.map(({ role, tokens }) => [
      role,
      tokens.reduce<(string | { readonly input: string })[]>((all, token) => {
        const last = all.at(-1);
        if (token.kind === 'variable') {
          if (!without.includes(token.name)) all.push({ input: token.name });
        } else if (token.kind === 'text')
          if (typeof last === 'string') all[all.length - 1] = last + token.text;
          else all.push(token.text);
        return all;
      }, []),
    ]),
  );
