import { type InputBook, type Messages, sayRemarks, tokenPart } from '../build.js';
import { quote, type Reporter } from '../diagnostic.js';
import type { DraftPart } from '../draft.js';
import { readFString } from '../template/fstring.js';
import { goInputs } from '../template/go.js';
import { readMustache } from '../template/mustache/read.js';
import type { TemplateToken } from '../template/tokens.js';
import { sayInvisible } from '../text/characters.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, plainValue, stringOf } from '../text/json.js';
import type { LineColumn } from '../text/mapped.js';
import { sayUnfit } from './json-source.js';
import { classOf, kwargsOf, sayLost, sayLostBeside } from './langchain-objects.js';

interface Reading {
  readonly json: JsonDocument;
  readonly report: Reporter;
  readonly book: InputBook;
  readonly messages: Messages;
  /** The inputs that f-strings print, and where first. */
  readonly printedByFString: Map<string, LineColumn>;
}

/** Variables that are filled already, by name. */
type Filled = ReadonlyMap<string, PlacedJson>;

const TEMPLATES: Readonly<Record<string, string>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
};

/** Messages without variables: their braces are text. */
const FIXED: Readonly<Record<string, string>> = {
  SystemMessage: 'system',
  HumanMessage: 'user',
  AIMessage: 'assistant',
};

const roleIn = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Reads the messages of a prompt template; what cannot be kept is reported, and the messages are given up. */
export function readTemplate(prompt: PlacedJson, reading: Reading): void {
  const { json, report, messages } = reading;
  sayLostBeside(prompt, json, report);
  const name = classOf(prompt);
  const kwargs = kwargsOf(prompt);
  if (name === 'PromptTemplate') {
    messages.add('user', textParts(prompt, new Map(), reading), json.at(prompt.start));
    return;
  }
  if (name !== 'ChatPromptTemplate' && name !== 'StructuredPrompt') {
    const message = `${quote(name)} is not a sheet part; the prompt was not imported`;
    report.warning('W_IMPORT_SECTION', json.at(prompt.start), message);
    messages.giveUp();
    return;
  }
  const schema = name === 'StructuredPrompt' ? ['schema_', 'schema'] : [];
  sayUnfit(kwargs, { partial_variables: 'a map', template_format: 'a text' }, json, report);
  sayLost(kwargs, ['messages', 'partial_variables', 'template_format', ...schema], json, report);
  for (const message of itemsOf(member(kwargs, 'messages'))) readMessage(message, filledBy(kwargs), reading);
}

function readMessage(message: PlacedJson, filled: Filled, reading: Reading): void {
  const { json, report, messages } = reading;
  sayLostBeside(message, json, report);
  const name = classOf(message);
  const kwargs = kwargsOf(message);
  const at = json.at(message.start);
  if (name === 'MessagesPlaceholder') {
    readPlaceholder(message, reading);
    return;
  }
  const fixed = roleIn(FIXED, name);
  const role =
    roleIn(TEMPLATES, name) ??
    (name === 'ChatMessagePromptTemplate' ? (stringOf(member(kwargs, 'role')) ?? '') : undefined);
  const content = member(kwargs, 'content');
  const prompt = member(kwargs, 'prompt');
  if (fixed === undefined && role === undefined) {
    report.warning('W_IMPORT_SECTION', at, `${quote(name)} is not a sheet part; the prompt was not imported`);
    messages.giveUp();
  } else if (fixed !== undefined && content?.kind === 'string') {
    sayLost(kwargs, ['content'], json, report);
    sayInvisible(json.mapped(content), report);
    messages.add(fixed, [{ text: content.value }], at);
  } else if (fixed === undefined && classOf(prompt) === 'PromptTemplate' && prompt !== undefined) {
    sayLost(kwargs, ['prompt', 'role'], json, report);
    messages.add(role ?? '', textParts(prompt, filled, reading), at);
  } else {
    const text = 'The content of this message is not one text; the prompt was not imported';
    report.warning('W_IMPORT_MEDIA', at, text);
    messages.giveUp();
  }
}

function readPlaceholder(message: PlacedJson, { json, report, book, messages }: Reading): void {
  const kwargs = kwargsOf(message);
  const at = json.at(message.start);
  const variable = stringOf(member(kwargs, 'variable_name'));
  if (variable === undefined || variable === '') {
    report.warning('W_IMPORT_PLACEHOLDER', at, 'The placeholder has no name; the prompt was not imported');
    messages.giveUp();
    return;
  }
  sayUnfit(kwargs, { optional: 'true or false' }, json, report);
  sayLost(kwargs, ['variable_name', 'optional'], json, report);
  const optional = member(kwargs, 'optional');
  const isRequired = !(optional?.kind === 'scalar' && optional.value === true);
  report.info('W_IMPORT_PLACEHOLDER', at, `The placeholder ${quote(variable)} became a history`);
  messages.history(
    book.use(variable, isRequired, () => at),
    at,
    isRequired,
  );
}

const filledBy = (kwargs: PlacedJson | undefined): Filled => {
  const given = member(kwargs, 'partial_variables');
  return given?.kind === 'object' ? given.entries : new Map();
};

/** A template as parts; variables that are filled already are text. What is filled from around it comes before its own. */
function textParts(
  prompt: PlacedJson,
  around: Filled,
  { json, report, book, printedByFString }: Reading,
): readonly DraftPart[] | undefined {
  const kwargs = kwargsOf(prompt);
  const template = member(kwargs, 'template');
  sayLostBeside(prompt, json, report);
  const given = member(kwargs, 'template_format');
  const format = given === undefined ? 'f-string' : (stringOf(given) ?? JSON.stringify(plainValue(given)));
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
  sayUnfit(kwargs, { partial_variables: 'a map' }, json, report);
  sayLost(kwargs, ['template', 'template_format', 'partial_variables'], json, report);
  const source = json.mapped(template);
  const { tokens, remarks } = (format === 'mustache' ? readMustache : readFString)(source.text);
  sayRemarks(remarks, source, report);
  const filled = new Map([...filledBy(kwargs), ...around]);
  const held = tokens?.find((token) => looksInside(token, filled, format));
  if (held !== undefined) {
    const message =
      'A variable is filled already, and not with a text that stands as it is; the prompt was not imported';
    report.warning('W_IMPORT_DEFAULT', source.at(held.start), message);
    return undefined;
  }
  return tokens?.map((token): DraftPart => {
    const value = token.kind === 'variable' ? stringOf(filledAt(token.name, filled, format)) : undefined;
    if (token.kind !== 'variable' || value === undefined) {
      const part = tokenPart(token, source, book, format === 'f-string');
      if (format === 'f-string' && 'input' in part && !printedByFString.has(part.input))
        printedByFString.set(part.input, source.at(token.start));
      return part;
    }
    const message = `The variable ${quote(token.name)} is filled already; its value became text`;
    report.info('W_IMPORT_DEFAULT', source.at(token.start), message);
    return { text: value };
  });
}

/** What a name is filled with. A dotted name of mustache is never one name. */
const filledAt = (name: string, filled: Filled, format: string): PlacedJson | undefined =>
  format === 'mustache' && name.includes('.') ? undefined : filled.get(name);

/** Whether a token needs more of a filled variable than its text: a condition, a field, or a value that is no text. */
function looksInside(token: TemplateToken, filled: Filled, format: string): boolean {
  if (token.kind === 'text') return false;
  if (token.kind === 'section') return [...goInputs(token.pieces).all].some((name) => filled.has(name));
  const value = filledAt(token.name, filled, format);
  if (value !== undefined) return value.kind !== 'string';
  return format === 'mustache' && filled.has(token.name.split('.')[0] ?? '');
}
