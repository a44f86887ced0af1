import { posix } from 'node:path';
import { guard } from '@cuebook/guard';
import type { YamlSource } from '@cuebook/yaml';
import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { DraftSheet, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { hasOpenLine } from '../template/nunjucks/open-line.js';
import { readNunjucks } from '../template/nunjucks/read.js';
import { decodePrompt } from '../text/decode.js';
import { itemsOf, member, readJson, stringOf } from '../text/json.js';
import { type LineColumn, type MappedText, mappedSlice } from '../text/mapped.js';
import { mappedYaml } from '../text/mapped-yaml.js';
import { nothingRead, sayLostKeys } from './json-source.js';
import { casesOf } from './promptfoo-cases.js';
import { isMap, type PlainMap, readYamlSource, type YamlMap } from './yaml-source.js';

/** Configurations of promptfoo: prompts as sheets, tests as cases. */
export const promptfooReader: FormatReader = {
  id: 'promptfoo',
  title: 'promptfoo: promptfooconfig.yaml, prompts and tests',
  detect: (path) => /(?:^|\/)promptfooconfig(?:\.[\w-]+)?\.(?:ya?ml|json)$/.test(path),
  // Its reader of YAML follows merge keys.
  read: (file, how) =>
    readYamlSource(file, (map, report) => readConfig(file, map, how, report), { merge: true }),
};

interface Reading {
  readonly file: ForeignFile;
  readonly yaml: YamlSource;
  readonly how: ReadHow;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly at: (...path: readonly PropertyKey[]) => LineColumn;
}

function readConfig(
  file: ForeignFile,
  { yaml, value, at }: YamlMap,
  how: ReadHow,
  report: Reporter,
): ImportDraft {
  const lines = new TextDecoder()
    .decode(file.bytes)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/);
  const letters = new Map<number, readonly string[]>();
  const bare = (...path: readonly PropertyKey[]): string | undefined => {
    const { line, column } = at(...path);
    const inLine = letters.get(line) ?? [...(lines[line - 1] ?? '')];
    letters.set(line, inLine);
    const begin = inLine.slice(column - 1, column + 1).join('');
    return /^[^"'|>]/.test(begin) ? begin : undefined;
  };
  const reading: Reading = { file, yaml, how, report, book: new InputBook(report), at };
  const prompts = (
    Array.isArray(value.prompts) ? value.prompts : value.prompts === undefined ? [] : [value.prompts]
  ).flatMap((_, index) =>
    promptTexts(Array.isArray(value.prompts) ? ['prompts', index] : ['prompts'], reading),
  );
  const base = how.name ?? sheetName(posix.basename(posix.dirname(posix.resolve('/promptfoo', file.path))));
  if (value.description !== undefined && typeof value.description !== 'string')
    report.warning('W_IMPORT_KEY', at('description'), 'Not kept: "description", which is not a text');
  const sheets = prompts.flatMap((text, index): DraftSheet[] => {
    const messages = messagesOf(text, reading.book);
    if (messages === undefined) return [];
    const name = prompts.length === 1 ? base : `${base}/${index + 1}`;
    const inputs = inputsFor(messages.blocks, reading.book);
    return [
      {
        name,
        title: typeof value.description === 'string' ? value.description : name,
        meta: {
          source: provenance(file, 'promptfoo'),
          ...(text.label === undefined ? {} : { label: text.label }),
        },
        params: {},
        tools: [],
        capabilities: [],
        inputs,
        blocks: messages.blocks,
      },
    ];
  });
  for (const other of new Set(prompts.map((each) => each.report)))
    if (other !== report) report.found.push(...other.found);
  const others = Object.keys(value).filter((key) => !KNOWN.includes(key));
  if (others.length > 0)
    report.warning(
      'W_IMPORT_KEY',
      at(others[0] ?? ''),
      `Not kept: ${others.map((key) => quote(key)).join(', ')}`,
    );
  const cases = sheets.flatMap((sheet) => casesOf(sheet, value, { report, book: reading.book, at, bare }));
  sayProviders(value.providers, cases.length > 0, reading);
  if (prompts.length === 0 && !report.found.some(({ severity }) => severity !== 'info'))
    report.warning(
      'W_IMPORT_EMPTY',
      { line: 1, column: 1 },
      'The file names no prompts; nothing was imported',
    );
  return {
    ...nothingRead(report),
    sheets,
    cases,
  };
}

/** Keys that have a place; `defaultTest` is told with the tests that have it, or where there are none. */
const KNOWN = ['prompts', 'tests', 'defaultTest', 'description', 'providers', '$schema'];

/** A sheet names no provider: of several, or of one with settings, something is not kept. */
function sayProviders(providers: unknown, hasCases: boolean, { report, at }: Reading): void {
  const list = Array.isArray(providers) ? providers : providers === undefined ? [] : [providers];
  if (list.length > 0 && !hasCases)
    report.info(
      'W_IMPORT_KEY',
      at('providers'),
      'A sheet names no provider: name it where the prompt is sent',
    );
  const isMore =
    list.length > 1 || list.some((each) => isMap(each) && Object.keys(each).some((key) => key !== 'id'));
  if (isMore)
    report.warning(
      'W_IMPORT_KEY',
      at('providers'),
      'Cases ask the first provider, without its settings: name the others and their settings where prompts are sent',
    );
}

const FILE = /\.(?:txt|md|json|jsonl|ya?ml|csv|j2|[cm]?[jt]s|py)(?::\w+)?$/;

/** What an entry names as a file: by its scheme, or by the end of its only line. */
function fileNamed(text: string): string | undefined {
  const byScheme = /^file:\/\/(.*)$/s.exec(text)?.[1];
  if (byScheme !== undefined) return byScheme;
  return !text.includes('\n') && (FILE.test(text) || /^\S+\/$/.test(text)) ? text : undefined;
}

/** A text, and what there is to say about the file that it stands in. */
interface PromptText {
  readonly text: MappedText;
  /** What the configuration calls it. */
  readonly label?: string;
  readonly report: Reporter;
}

/** The texts of one entry of `prompts`: written there, or in a file that it names. */
function promptTexts(
  path: readonly PropertyKey[],
  { file, yaml, how, report, at }: Reading,
): readonly PromptText[] {
  const label = labelAt(path, { yaml, report, at });
  const labelled = label === undefined ? {} : { label };
  const text =
    mappedYaml(yaml, path) ?? mappedYaml(yaml, [...path, 'raw']) ?? mappedYaml(yaml, [...path, 'id']);
  const entry = path.reduce<unknown>((value, key) => (value as PlainMap)[key as string], yaml.value);
  const others = isMap(entry)
    ? Object.keys(entry).filter((key) => !['id', 'raw', 'label'].includes(key))
    : [];
  if (text !== undefined && others.length > 0)
    report.warning('W_IMPORT_KEY', at(...path), `Not kept: ${others.map((key) => quote(key)).join(', ')}`);
  if (text === undefined) {
    report.warning(
      'W_IMPORT_REFERENCE',
      at(...path),
      'This prompt is neither a text nor a file; it was not imported',
    );
    return [];
  }
  const named = fileNamed(text.text);
  if (named === undefined && !/^[\w-]+:\/\//.test(text.text)) return [{ text, report, ...labelled }];
  const target = posix.normalize(posix.join(posix.dirname(file.path), named ?? ''));
  const isText = /\.(?:txt|md|json)$/.test(target) && !/[*?{\\]/.test(target) && !target.startsWith('..');
  const isOurs = named !== undefined && isText && !posix.isAbsolute(named);
  const bytes = isOurs ? how.file?.(target) : undefined;
  const inner = reporter(target);
  const source = bytes === undefined ? undefined : decodePrompt(bytes, inner);
  if (source === undefined) {
    report.found.push(...inner.found);
    report.warning(
      'W_IMPORT_REFERENCE',
      text.at(0),
      `${quote(text.text)} was not imported: of the files of the repository, .txt, .md and .json are read, each named by its path`,
    );
    return [];
  }
  if (!target.endsWith('.txt')) return [{ text: source, report: inner, ...labelled }];
  const dashes = /^.*\S.*---.*$|^.*---.*\S.*$/m.exec(source.text.replace(/^---[ \t]*\r?$/gm, '   '));
  if (dashes !== null)
    report.info(
      'W_IMPORT_DIALECT',
      text.at(0),
      `${quote(target)} holds --- inside of a line, where older versions of promptfoo cut the file, too`,
    );
  return pieces(source).map((piece) => ({ text: piece, report: inner, ...labelled }));
}

/** The label of an entry of `prompts`, which is kept under `meta`; one that is no text is told. */
function labelAt(
  path: readonly PropertyKey[],
  { yaml, report, at }: Pick<Reading, 'yaml' | 'report' | 'at'>,
): string | undefined {
  const entry = path.reduce<unknown>((value, key) => (value as PlainMap)[key as string], yaml.value);
  const label = isMap(entry) ? entry.label : undefined;
  if (label === undefined || label === null || typeof label === 'string') return label ?? undefined;
  report.warning('W_IMPORT_KEY', at(...path, 'label'), 'Not kept: "label", which is not a text');
  return undefined;
}

/** A `.txt` file is cut at lines of three dashes, and each piece loses the white space around it. */
function pieces(source: MappedText): readonly MappedText[] {
  const found: MappedText[] = [];
  let from = 0;
  for (const match of [...source.text.matchAll(/^---[ \t]*\r?$/gm), undefined]) {
    const to = match?.index ?? source.text.length;
    const piece = source.text.slice(from, to);
    const start = from + (piece.length - piece.trimStart().length);
    if (piece.trim() !== '') found.push(mappedSlice(source, start, start + piece.trim().length));
    from = match === undefined ? to : match.index + match[0].length;
  }
  return found;
}

/** A chat when the text is a JSON list of messages, else one message of the user. */
function messagesOf({ text, report }: PromptText, names: InputBook): Messages | undefined {
  const book = names.within(report);
  const messages = new Messages(report);
  const how = { read: readNunjucks, book, report, required: false } as const;
  const json = /^\s*\[/.test(text.text) ? readJson(text.text) : undefined;
  const isChat =
    json?.ok === true &&
    itemsOf(json.value.root).length > 0 &&
    itemsOf(json.value.root).every((item) => stringOf(member(item, 'role')) !== undefined);
  // A tag that no line closes is an error of the template itself.
  const isRead = !isChat && readNunjucks(text.text).tokens !== undefined;
  const isOpen = isRead && guard('adopt.open-line', hasOpenLine(text.text));
  const why = isOpen
    ? 'A tag is not closed on its line: promptfoo then sends the whole prompt as it is written, tags and all'
    : isChat
      ? undefined
      : whyNoText(text.text);
  if (why !== undefined) {
    report.warning('W_IMPORT_DIALECT', text.at(0), `${why}; the prompt was not imported`);
    return undefined;
  }
  if (!isChat) {
    const parts = templateParts(text, how);
    if (parts?.some((part) => !('text' in part)) === true) sayLineBreak(text, report);
    messages.add('user', parts, text.at(0));
  } else {
    sayLineBreak(text, report);
    for (const item of itemsOf(json.value.root)) {
      const content = member(item, 'content');
      const place = text.at(item.start);
      sayLostKeys(item, ['role', 'content'], text, report);
      if (content?.kind !== 'string') {
        report.warning(
          'W_IMPORT_MEDIA',
          place,
          'The content of this message is not text; the prompt was not imported',
        );
        messages.giveUp();
        continue;
      }
      messages.add(
        stringOf(member(item, 'role')) ?? '',
        templateParts({ text: content.value, at: () => text.at(content.start) }, how),
        place,
      );
    }
  }
  if (messages.isWhole && messages.blocks.length === 0)
    report.warning('W_IMPORT_EMPTY', text.at(0), 'The prompt has no text; it was not imported');
  return messages.isWhole && messages.blocks.length > 0 ? messages : undefined;
}

/** Said once in a file: it holds for every value. */
function sayLineBreak(text: MappedText, report: Reporter): void {
  const isSaid = report.found.some(({ message }) => message === LINE_BREAK);
  if (!isSaid) report.info('W_IMPORT_DIALECT', text.at(0), LINE_BREAK);
}

const LINE_BREAK = 'promptfoo takes one line break off the end of each value, and a sheet does not';

/** Why promptfoo sends something else than the text with its values: JSON is printed anew, and a chat is taken apart. */
function whyNoText(text: string): string | undefined {
  const words = text.trim();
  if (words.startsWith('- role:')) return 'The prompt is a chat in YAML, which promptfoo takes apart';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return /^[[{]/.test(words) && /"role"\s*:/.test(words)
      ? 'The prompt is a chat only when its values are filled in'
      : undefined;
  }
  const isSame = JSON.stringify(value, null, 2) === text && !/\{[{%#]|#\}/.test(text);
  return isSame
    ? undefined
    : 'The prompt is JSON and no chat: promptfoo fills in its texts and prints it anew';
}
