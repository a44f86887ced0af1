import { posix } from 'node:path';
import { InputBook, inputsFor, Messages, templateParts } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftSheet, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readSettings } from '../settings.js';
import { readPlain } from '../template/plain.js';
import { plainValue, readJson } from '../text/json.js';
import type { LineColumn, MappedText } from '../text/mapped.js';
import { mappedYaml } from '../text/mapped-yaml.js';
import { isSendable, sayNumbers } from '../text/numbers.js';
import { githubCasesOf } from './github-models-cases.js';
import { keptUnderMeta, nothingRead } from './json-source.js';
import { isMap, readYamlSource, type YamlMap } from './yaml-source.js';

/** Prompt files of GitHub Models: YAML with messages, settings and test data. */
export const githubModelsReader: FormatReader = {
  id: 'github-models',
  title: 'GitHub Models: *.prompt.yml',
  detect: (path) => /\.prompt\.ya?ml$/.test(path),
  read: (file, how) => readYamlSource(file, (map, report) => readPrompt(file, map, how, report)),
};

function readPrompt(
  file: ForeignFile,
  { yaml, value, at }: YamlMap,
  how: ReadHow,
  report: Reporter,
): ImportDraft {
  const book = new InputBook(report);
  const messages = new Messages(report);
  for (const [index, message] of (Array.isArray(value.messages) ? value.messages : []).entries()) {
    const content = mappedYaml(yaml, ['messages', index, 'content']);
    const more = isMap(message)
      ? Object.keys(message).filter((key) => key !== 'role' && key !== 'content')
      : [];
    if (more.length > 0)
      report.warning(
        'W_IMPORT_KEY',
        at('messages', index, more[0] ?? ''),
        `Not kept: ${more.map((key) => quote(key)).join(', ')}`,
      );
    const role = isMap(message) && typeof message.role === 'string' ? message.role : '';
    if (content === undefined)
      report.warning(
        'W_IMPORT_MEDIA',
        at('messages', index),
        'The content of this message is not text; the prompt was not imported',
      );
    const parts =
      content === undefined
        ? undefined
        : templateParts(content, { read: readPlain, book, report, required: true });
    messages.add(role, parts, at('messages', index));
  }
  if (messages.blocks.length === 0 && messages.isWhole)
    report.warning('W_IMPORT_EMPTY', at(), 'The prompt has no message with text; it was not imported');
  if (messages.blocks.length === 0 || !messages.isWhole) return nothingRead(report);
  const answer =
    value.jsonSchema === undefined
      ? undefined
      : answerOf(mappedYaml(yaml, ['jsonSchema']), at('jsonSchema'), report);
  if (answer !== undefined && answer.others.length > 0)
    report.info(
      'W_IMPORT_KEY',
      at('jsonSchema'),
      `The schema of the answer became \`answer\`, without ${answer.others.map((key) => quote(key)).join(', ')}`,
    );
  const name = how.name ?? sheetName(posix.basename(file.path).replace(/\.prompt\.ya?ml$/, ''));
  const inputs = inputsFor(messages.blocks, book);
  const { cases, lost } = githubCasesOf({ name, inputs }, value, { report, book, at });
  const others = Object.keys(value).filter(
    (key) => !isHeld(key, value[key], answer !== undefined) && (!isTest(key) || lost.includes(key)),
  );
  if (others.length > 0) report.info('W_IMPORT_KEY', at(others[0] ?? ''), keptUnderMeta(others));
  const settings = readSettings(
    isMap(value.modelParameters) && isSendable(value.modelParameters) ? value.modelParameters : {},
    report,
    (key) => at('modelParameters', key),
    { kept: 'meta.modelParameters' },
  );
  const sheet: DraftSheet = {
    name,
    title:
      typeof value.description === 'string'
        ? value.description
        : typeof value.name === 'string'
          ? value.name
          : file.path,
    meta: {
      source: provenance(file, 'github-models'),
      ...(typeof value.name === 'string' ? { name: value.name } : {}),
      ...Object.fromEntries(others.map((key) => [key, value[key]])),
      ...(Object.keys(settings.others).length === 0 ? {} : { modelParameters: settings.others }),
    },
    params: {
      ...(typeof value.model === 'string' ? { model: value.model } : {}),
      ...settings.params,
      ...(value.responseFormat === 'json_object' && answer === undefined ? { responseFormat: 'json' } : {}),
    },
    tools: [],
    capabilities: [],
    ...(answer === undefined ? {} : { answer: answer.held }),
    inputs,
    blocks: messages.blocks,
  };
  return { ...nothingRead(report), sheets: [sheet], cases };
}

const isTest = (key: string): boolean => key === 'testData' || key === 'evaluators';

/** Whether a key of the file has its place in the sheet. What is of another kind than GitHub Models has there is kept under `meta`. */
function isHeld(key: string, value: unknown, hasAnswer: boolean): boolean {
  if (key === 'messages') return Array.isArray(value);
  if (key === 'modelParameters') return isMap(value) && isSendable(value);
  if (key === 'jsonSchema') return true;
  if (key === 'responseFormat')
    return hasAnswer ? value === 'json_schema' : value === 'json_object' || value === 'text';
  return ['name', 'description', 'model'].includes(key) && typeof value === 'string';
}

/** The schema stands in the file as JSON text, with a name around it; `others` is what stands there besides. */
function answerOf(
  written: MappedText | undefined,
  at: LineColumn,
  report: Reporter,
): { readonly held: NonNullable<DraftSheet['answer']>; readonly others: readonly string[] } | undefined {
  const lose = (why: string): undefined => {
    const message = `The schema of the answer is not valid JSON (${why}); it is not asked of the model`;
    report.warning('W_IMPORT_KEY', at, message);
    return undefined;
  };
  if (written === undefined) return lose('It is not a text');
  const json = readJson(written.text);
  if (!json.ok) return lose(json.message);
  const value = plainValue(json.value.root);
  if (!isMap(value)) return lose('It is not a map');
  sayNumbers(
    json.value.numbers.map(({ start, ...number }) => ({ ...number, at: () => written.at(start) })),
    report,
  );
  const schema = isMap(value.schema) ? value.schema : value;
  const { name } = value;
  const isName = typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);
  const others =
    schema === value
      ? []
      : Object.keys(value).filter((key) => key !== 'schema' && !(key === 'name' && isName));
  return { held: { schema, ...(isName ? { name } : {}) }, others };
}
