import { posix } from 'node:path';
import { readYaml, type YamlSource } from '@cuebook/yaml';
import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { DraftCases, DraftSheet, ImportDraft } from '../draft.js';
import { inputName, sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readNunjucks } from '../template/nunjucks/read.js';
import { decodeFile } from '../text/decode.js';
import { itemsOf, member, readJson, stringOf } from '../text/json.js';
import { type LineColumn, type MappedText, mappedSlice } from '../text/mapped.js';
import { mappedYaml } from '../text/mapped-yaml.js';
import { nothingRead } from './json-source.js';
import { type AssertChecks, checksOf } from './promptfoo-asserts.js';

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Configurations of promptfoo: prompts as sheets, tests as cases. */
export const promptfooReader: FormatReader = {
  id: 'promptfoo',
  title: 'promptfoo: promptfooconfig.yaml, prompts and tests',
  detect: (path) => /(?:^|\/)promptfooconfig(?:\.[\w-]+)?\.(?:ya?ml|json)$/.test(path),
  read: (file, how) => {
    const report = reporter(file.path);
    const text = decodeFile(file.bytes, report);
    if (text === undefined) return nothingRead(report);
    const yaml = readYaml(file.path, text.text, 'E_IMPORT_SYNTAX');
    if (yaml.ok && isMap(yaml.value.value)) return readConfig(file, yaml.value, how, report);
    const problem = yaml.ok ? undefined : yaml.diagnostics[0];
    report.error(
      'E_IMPORT_SYNTAX',
      { line: problem?.line ?? 1, column: problem?.column ?? 1 },
      (problem?.message ?? 'The file is not a map').split('\n')[0] ?? '',
    );
    return nothingRead(report);
  },
};

interface Reading {
  readonly file: ForeignFile;
  readonly yaml: YamlSource;
  readonly how: ReadHow;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly at: (...path: readonly PropertyKey[]) => LineColumn;
}

function readConfig(file: ForeignFile, yaml: YamlSource, how: ReadHow, report: Reporter): ImportDraft {
  const value = yaml.value as Plain;
  const at = (...path: readonly PropertyKey[]): LineColumn => {
    const { line = 1, column = 1 } = yaml.place(path);
    return { line, column };
  };
  const reading: Reading = { file, yaml, how, report, book: new InputBook(report), at };
  const prompts = (
    Array.isArray(value.prompts) ? value.prompts : value.prompts === undefined ? [] : [value.prompts]
  ).flatMap((_, index) =>
    promptTexts(Array.isArray(value.prompts) ? ['prompts', index] : ['prompts'], reading),
  );
  const base = how.name ?? sheetName(posix.basename(posix.dirname(posix.resolve('/promptfoo', file.path))));
  const sheets = prompts.flatMap((text, index): DraftSheet[] => {
    const messages = messagesOf(text, reading);
    if (messages === undefined) return [];
    const name = prompts.length === 1 ? base : `${base}/${index + 1}`;
    const inputs = inputsFor(messages.blocks, reading.book);
    return [
      {
        name,
        title: typeof value.description === 'string' ? value.description : name,
        meta: { source: provenance(file, 'promptfoo') },
        params: {},
        tools: [],
        capabilities: [],
        inputs,
        blocks: messages.blocks,
      },
    ];
  });
  const others = Object.keys(value).filter(
    (key) => !['prompts', 'tests', 'description', 'providers', '$schema'].includes(key),
  );
  if (others.length > 0)
    report.warning(
      'W_IMPORT_KEY',
      at(others[0] ?? ''),
      `Not kept: ${others.map((key) => quote(key)).join(', ')}`,
    );
  return { ...nothingRead(report), sheets, cases: sheets.flatMap((sheet) => casesOf(sheet, value, reading)) };
}

/** The texts of one entry of `prompts`: written there, or in a file that it names. */
function promptTexts(
  path: readonly PropertyKey[],
  { file, yaml, how, report, at }: Reading,
): readonly MappedText[] {
  const text =
    mappedYaml(yaml, path) ?? mappedYaml(yaml, [...path, 'raw']) ?? mappedYaml(yaml, [...path, 'id']);
  if (text === undefined) {
    report.warning(
      'W_IMPORT_REFERENCE',
      at(...path),
      'This prompt is neither a text nor a file; it was not imported',
    );
    return [];
  }
  const named = /^file:\/\/(.+)$/s.exec(text.text)?.[1];
  if (named === undefined && !/^[\w-]+:\/\//.test(text.text)) return [text];
  const target = posix.normalize(posix.join(posix.dirname(file.path), named ?? ''));
  const isText = /\.(?:txt|md|json)$/.test(target) && !/[*?{]/.test(target) && !target.startsWith('..');
  const bytes = named !== undefined && isText ? how.file?.(target) : undefined;
  const inner = reporter(target);
  const source = bytes === undefined ? undefined : decodeFile(bytes, inner);
  report.found.push(...inner.found);
  if (source === undefined) {
    report.warning(
      'W_IMPORT_REFERENCE',
      text.at(0),
      `${quote(text.text)} is not a text file that is here; it was not imported`,
    );
    return [];
  }
  return target.endsWith('.txt') ? pieces(source) : [source];
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
function messagesOf(text: MappedText, { report, book }: Reading): Messages | undefined {
  const messages = new Messages(report);
  const how = { read: readNunjucks, book, report, required: false } as const;
  const json = /^\s*\[/.test(text.text) ? readJson(text.text) : undefined;
  if (
    json?.ok === true &&
    itemsOf(json.value.root).length > 0 &&
    itemsOf(json.value.root).every((item) => stringOf(member(item, 'role')) !== undefined)
  ) {
    report.info(
      'W_IMPORT_DIALECT',
      text.at(0),
      'promptfoo takes one line break off the end of each value, and a sheet does not',
    );
    for (const item of itemsOf(json.value.root)) {
      const content = member(item, 'content');
      const place = text.at(item.start);
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
  } else messages.add('user', templateParts(text, how), text.at(0));
  return messages.isWhole && messages.blocks.length > 0 ? messages : undefined;
}

/** The longest name of a case. */
const MAX_NAME = 200;

function casesOf(sheet: DraftSheet, value: Plain, { report, at, book }: Reading): readonly DraftCases[] {
  const tests = Array.isArray(value.tests) ? value.tests : [];
  if (value.tests !== undefined && !Array.isArray(value.tests))
    report.warning('W_IMPORT_CASE', at('tests'), 'Tests in another file were not imported');
  const voice = voiceOf(value.providers);
  const names = new Set<string>();
  const cases = tests.flatMap((test, index): Readonly<Record<string, unknown>>[] => {
    const place = at('tests', index);
    if (!isMap(test)) {
      report.warning('W_IMPORT_CASE', place, 'This test is in another file; it was not imported');
      return [];
    }
    const set: Record<string, string> = {};
    for (const [name, given] of Object.entries(isMap(test.vars) ? test.vars : {})) {
      const input = book.names.given.get(name) ?? inputName(name);
      const value = caseValue(given, sheet.inputs.get(input)?.type === 'json');
      const why = problemOf(given, value);
      if (why !== undefined)
        report.warning('W_IMPORT_CASE', place, `The value of ${quote(name)} ${why}; it was not kept`);
      else if (value !== undefined && sheet.inputs.has(input)) set[input] = value;
    }
    const wish =
      typeof test.description === 'string' && test.description !== ''
        ? test.description.slice(0, MAX_NAME)
        : `test ${index + 1}`;
    let name = wish;
    for (let count = 2; names.has(name); count += 1) name = `${wish.slice(0, MAX_NAME - 8)} ${count}`;
    names.add(name);
    const checks: AssertChecks = checksOf(test.assert, (message) =>
      report.warning('W_IMPORT_CASE', place, message),
    );
    const hasAnswer = Object.keys(checks).length > 0;
    const input = Object.keys(set).length === 0 ? {} : { with: { set } };
    return [
      hasAnswer
        ? { name, ...input, ...voice, answer: checks }
        : { name, ...input, request: { snapshot: true } },
    ];
  });
  const isUnvoiced = voice === undefined && cases.some((each) => 'answer' in each);
  if (isUnvoiced)
    report.warning(
      'W_IMPORT_CASE',
      at('tests'),
      'The provider of the source is not known here: the checks of answers are for evals, which ask the one that --provider names',
    );
  if (cases.length === 0) return [];
  return [{ name: sheet.name, target: `sheet:${sheet.name}`, ...(isUnvoiced ? { takes: 1 } : {}), cases }];
}

/** A value of a test as a case hands it in: one line break at its end is taken off. A list stands for several tests. */
function caseValue(given: unknown, isJson: boolean): string | undefined {
  const value = typeof given === 'string' ? given.replace(/\n$/, '') : given;
  if (isJson && !Array.isArray(given)) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function problemOf(given: unknown, value: string | undefined): string | undefined {
  if (typeof given === 'string' && /^file:\/\//.test(given)) return 'is in another file';
  if (typeof given === 'string' && /\{\{|\{%|\{#/.test(given)) return 'is a template of its own';
  return value === undefined ? 'is not one text' : undefined;
}

/** Who answers: `openai:chat:gpt-5` is the provider openai with the model gpt-5. */
function voiceOf(providers: unknown): { readonly provider: string; readonly model: string } | undefined {
  const first = Array.isArray(providers) ? providers[0] : providers;
  const id = isMap(first) ? first.id : first;
  const match =
    typeof id === 'string'
      ? /^(openai|anthropic|google):(?:(?:chat|messages|responses):)?([\w.-]+)$/.exec(id)
      : null;
  return match === null ? undefined : { provider: match[1] ?? '', model: match[2] ?? '' };
}
