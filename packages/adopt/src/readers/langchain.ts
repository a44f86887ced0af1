import { posix } from 'node:path';
import { InputBook, inputsFor, Messages, sayRemarks, tokenPart } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftPart, DraftSheet, DraftTool, ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import { provenance } from '../provenance.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readFString } from '../template/fstring.js';
import { goInputs } from '../template/go.js';
import { readMustache } from '../template/mustache/read.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, plainValue, stringOf } from '../text/json.js';
import { nothingRead, readJsonSource } from './json-source.js';

/** Manifests of LangChain, and answers of the LangSmith hub around them. They are read as data: nothing is built from them. */
export const langchainReader: FormatReader = {
  id: 'langchain',
  title: 'LangChain and LangSmith: a manifest of a prompt',
  detect: (path, head) => path.endsWith('.json') && /"lc"\s*:\s*1/.test(head) && /"langchain/.test(head),
  read: (file, how) => readJsonSource(file, (json, report) => readManifest(file, json, how, report)),
};

const classOf = (node: PlacedJson | undefined): string => stringOf(itemsOf(member(node, 'id')).at(-1)) ?? '';
const kwargsOf = (node: PlacedJson | undefined): PlacedJson | undefined => member(node, 'kwargs');

interface Reading {
  readonly json: JsonDocument;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly messages: Messages;
}

function readManifest(file: ForeignFile, json: JsonDocument, how: ReadHow, report: Reporter): ImportDraft {
  const root = member(json.root, 'manifest') ?? json.root;
  const tools: DraftTool[] = [];
  const prompt = findPrompt(root, json, report, tools);
  if (prompt === undefined) {
    report.error('E_IMPORT_SYNTAX', json.at(root.start), 'The manifest holds no prompt template');
    return nothingRead(report);
  }
  const reading = { json, report, book: new InputBook(report), messages: new Messages(report) };
  readTemplate(prompt, reading);
  const { messages, book } = reading;
  if (messages.isWhole && messages.blocks.length === 0)
    report.warning('W_IMPORT_EMPTY', json.at(prompt.start), 'The prompt has no text; it was not imported');
  if (!messages.isWhole || messages.blocks.length === 0) return nothingRead(report);
  const schema = member(kwargsOf(prompt), 'schema_') ?? member(kwargsOf(prompt), 'schema');
  const commit = stringOf(member(json.root, 'commit_hash'));
  const sheet: DraftSheet = {
    name: sheetName(how.name ?? posix.basename(file.path).replace(/\.json$/, '')),
    meta: { source: provenance(file, 'langchain', commit) },
    params: {},
    tools,
    capabilities: [],
    ...(schema?.kind === 'object'
      ? { answer: { schema: plainValue(schema) as Record<string, unknown> } }
      : {}),
    inputs: inputsFor(messages.blocks, book),
    blocks: messages.blocks,
  };
  return { ...nothingRead(report), sheets: [sheet] };
}

/** The prompt inside of what may stand around it: a sequence with a model, a binding with tools. */
function findPrompt(
  node: PlacedJson,
  json: JsonDocument,
  report: Reporter,
  tools: DraftTool[],
): PlacedJson | undefined {
  const name = classOf(node);
  const kwargs = kwargsOf(node);
  if (name.endsWith('PromptTemplate') || name === 'StructuredPrompt') return node;
  if (name === 'RunnableSequence') {
    const steps = [
      member(kwargs, 'first'),
      ...itemsOf(member(kwargs, 'middle')),
      member(kwargs, 'last'),
      ...itemsOf(member(kwargs, 'steps')),
    ];
    const found = steps.flatMap((step) =>
      step === undefined ? [] : [findPrompt(step, json, report, tools)],
    );
    return found.find((each) => each !== undefined);
  }
  if (name === 'RunnableBinding') {
    for (const tool of itemsOf(member(member(kwargs, 'kwargs'), 'tools'))) {
      const body = member(tool, 'function') ?? tool;
      const toolName = stringOf(member(body, 'name'));
      const parameters = member(body, 'parameters');
      const description = stringOf(member(body, 'description'));
      if (toolName === undefined) continue;
      tools.push({
        name: toolName,
        ...(description === undefined ? {} : { description }),
        ...(parameters?.kind === 'object'
          ? { parameters: plainValue(parameters) as Record<string, unknown> }
          : {}),
      });
    }
    const bound = member(kwargs, 'bound');
    return bound === undefined ? undefined : findPrompt(bound, json, report, tools);
  }
  report.info(
    'W_IMPORT_KEY',
    json.at(node.start),
    `${quote(name)} is a part of the program around the prompt; it was not imported`,
  );
  return undefined;
}

const ROLES: Readonly<Record<string, string>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
  SystemMessage: 'system',
  HumanMessage: 'user',
  AIMessage: 'assistant',
};

function readTemplate(prompt: PlacedJson, reading: Reading): void {
  const { json, report, messages } = reading;
  const name = classOf(prompt);
  if (name === 'PromptTemplate') {
    messages.add('user', textParts(prompt, reading), json.at(prompt.start));
    return;
  }
  if (name !== 'ChatPromptTemplate' && name !== 'StructuredPrompt') {
    const message = `${quote(name)} is not a sheet part; the prompt was not imported`;
    report.warning('W_IMPORT_SECTION', json.at(prompt.start), message);
    messages.giveUp();
  }
  for (const message of itemsOf(member(kwargsOf(prompt), 'messages'))) readMessage(message, reading);
}

function readMessage(message: PlacedJson, reading: Reading): void {
  const { json, report, book, messages } = reading;
  const name = classOf(message);
  const kwargs = kwargsOf(message);
  const at = json.at(message.start);
  if (name === 'MessagesPlaceholder') {
    const variable = stringOf(member(kwargs, 'variable_name')) ?? 'history';
    const optional = member(kwargs, 'optional');
    const isOptional = optional?.kind === 'scalar' && optional.value === true;
    report.info('W_IMPORT_PLACEHOLDER', at, `The placeholder ${quote(variable)} became a history`);
    messages.history(
      book.use(variable, !isOptional, () => at),
      at,
      !isOptional,
    );
    return;
  }
  const content = member(kwargs, 'content');
  const role = Object.hasOwn(ROLES, name)
    ? ROLES[name]
    : name === 'ChatMessagePromptTemplate'
      ? (stringOf(member(kwargs, 'role')) ?? '')
      : undefined;
  if (role === undefined) {
    report.warning('W_IMPORT_SECTION', at, `${quote(name)} is not a sheet part; the prompt was not imported`);
    messages.giveUp();
  } else if (content?.kind === 'string') messages.add(role, [{ text: content.value }], at);
  else {
    const prompt = member(kwargs, 'prompt');
    if (prompt === undefined || classOf(prompt) !== 'PromptTemplate') {
      report.warning(
        'W_IMPORT_MEDIA',
        at,
        'The content of this message is not one text; the prompt was not imported',
      );
      messages.giveUp();
    } else messages.add(role, textParts(prompt, reading), at);
  }
}

/** A template as parts; variables that are filled already are text. */
function textParts(prompt: PlacedJson, { json, report, book }: Reading): readonly DraftPart[] | undefined {
  const kwargs = kwargsOf(prompt);
  const template = member(kwargs, 'template');
  const format = stringOf(member(kwargs, 'template_format')) ?? 'f-string';
  if (template?.kind !== 'string') {
    report.warning(
      'W_IMPORT_MEDIA',
      json.at(prompt.start),
      'The template is not text; the prompt was not imported',
    );
    return undefined;
  }
  if (format !== 'f-string' && format !== 'mustache') {
    report.warning(
      'W_IMPORT_HELPER',
      json.at(prompt.start),
      `Templates of the format ${quote(format)} are not read; the prompt was not imported`,
    );
    return undefined;
  }
  const source = json.mapped(template);
  const { tokens, remarks } = (format === 'mustache' ? readMustache : readFString)(source.text);
  sayRemarks(remarks, source, report);
  const filled = member(kwargs, 'partial_variables');
  const held = tokens?.find(
    (token) =>
      token.kind === 'section' &&
      [...goInputs(token.pieces).all].some((name) => member(filled, name) !== undefined),
  );
  if (held !== undefined) {
    const message =
      'A condition or loop looks at a variable that is filled already; the prompt was not imported';
    report.warning('W_IMPORT_SECTION', source.at(held.start), message);
    return undefined;
  }
  return tokens?.map((token): DraftPart => {
    if (token.kind === 'text') return { text: token.text };
    const value = token.kind === 'variable' ? stringOf(member(filled, token.name)) : undefined;
    if (token.kind === 'variable' && value !== undefined) {
      report.info(
        'W_IMPORT_DEFAULT',
        source.at(token.start),
        `The variable ${quote(token.name)} is filled already; its value became text`,
      );
      return { text: value };
    }
    return tokenPart(token, source, book, format === 'f-string');
  });
}
