import type { FormatReader } from '../reader.js';
import { langchainReader } from '../readers/langchain.js';
import { langfuseReader } from '../readers/langfuse.js';
import { sourceSettings } from '../settings.js';
import { toMustache } from '../template/back/mustache.js';
import type { GoNode } from '../template/back/tree.js';
import { outsideCore } from '../template/core.js';
import {
  type ExportPart,
  type ExportPrompt,
  type ExportReport,
  exportReport,
  type FormatWriter,
  fixedText,
  inputsIn,
  inputsOfPart,
  nameAbsent,
  nameBlanks,
  nameFences,
  nameLosses,
  refuseSections,
} from '../writer.js';
import { hasSection, type PartsMessage, sectionText, verified } from './sections.js';
import { vendorSettings } from './vendor-settings.js';

const printJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A writer whose text is JSON for the caller. */
export const jsonWriter = (
  id: string,
  title: string,
  make: (prompt: ExportPrompt, report: ExportReport) => unknown,
  /** Reads again what was written, where the format has conditions and loops. */
  reader?: FormatReader,
): FormatWriter => ({
  id,
  title,
  isPlaced: false,
  hasVariables: !id.endsWith('-messages'),
  hasSections: reader !== undefined,
  write: (prompt) => {
    const report = exportReport(prompt);
    if (reader === undefined) refuseSections(prompt, report);
    nameFences(prompt, report);
    nameAbsent(prompt, report);
    nameBlanks(prompt, report);
    const value = make(prompt, report);
    if (value === undefined || report.found.some(({ severity }) => severity === 'error'))
      return { diagnostics: report.found };
    const exported = {
      file: { path: `${prompt.name}.json`, text: printJson(value), kind: 'whole' },
      diagnostics: report.found,
    } as const;
    return reader === undefined ? exported : verified(prompt, exported, reader);
  },
});

/**
 * A message as a mustache template of the portable core; what leaves the core is refused. Conditions and loops are those of
 * the language that `print` writes.
 */
export function templateText(
  message: PartsMessage,
  print: (nodes: readonly GoNode[]) => string | undefined,
  report: ExportReport,
): string {
  if (hasSection(message)) return sectionText(message, print, report) ?? '';
  const tokens = message.parts.map((part) =>
    'text' in part
      ? ({ kind: 'text', text: part.text } as const)
      : ({ kind: 'variable', name: inputOf(part) } as const),
  );
  const why = outsideCore(tokens);
  if (why !== undefined)
    report.refuse(
      'E_EXPORT_FORMAT',
      `${why} means something in the format, and there is no escape that all of its libraries know`,
    );
  return message.parts.map((part) => ('text' in part ? part.text : `{{${inputOf(part)}}}`)).join('');
}

const inputOf = (part: ExportPart): string => ('input' in part ? part.input : '');

const listed = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The list that the web application of Langfuse imports. It renumbers versions and takes no label `production`. */
export const langfuseWriter = jsonWriter(
  'langfuse',
  'Langfuse: a file that its web application imports',
  (prompt, report) => {
    const { meta, messages, params, title } = prompt;
    nameLosses(prompt, ['params'], report);
    const chat = messages.map((message) =>
      'history' in message
        ? { type: 'placeholder', name: message.history }
        : { role: message.role, content: templateText(message, toMustache, report) },
    );
    const [only] = chat;
    const isText = chat.length === 1 && only !== undefined && 'role' in only && only.role === 'user';
    return [
      {
        name:
          title !== undefined &&
          /^[^|]{1,255}$/.test(title) &&
          (meta.source as { format?: string } | undefined)?.format === 'langfuse'
            ? title
            : prompt.name,
        type: isText ? 'text' : 'chat',
        prompt: isText ? only.content : chat,
        config: sourceSettings(params, meta, 'langfuse'),
        labels: listed(meta.labels),
        tags: listed(meta.tags),
        commitMessage: typeof meta.commitMessage === 'string' ? meta.commitMessage : null,
      },
    ];
  },
  langfuseReader,
);

const CLASSES: Readonly<Record<string, string>> = { system: 'System', user: 'Human', assistant: 'AI' };
const serialised = (path: readonly string[], kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'prompts', ...path],
  kwargs,
});

/** A manifest of LangChain, as the hub of LangSmith keeps it; templates are f-strings, whose braces can be escaped. */
export const langchainWriter = jsonWriter(
  'langchain',
  'LangChain: a ChatPromptTemplate manifest',
  (prompt, report) => {
    nameLosses(prompt, [], report);
    const messages = prompt.messages.map((message) => {
      if ('history' in message)
        return serialised(['chat', 'MessagesPlaceholder'], {
          variable_name: message.history,
          optional: true,
        });
      const name = CLASSES[message.role];
      if (name === undefined)
        report.refuse('E_EXPORT_FORMAT', `the format has no template for the role ${message.role}`);
      const isSection = hasSection(message);
      const template = isSection
        ? templateText(message, toMustache, report)
        : message.parts
            .map((part) => ('text' in part ? part.text.replace(/[{}]/g, '$&$&') : `{${inputOf(part)}}`))
            .join('');
      const names = [...new Set(message.parts.flatMap(inputsOfPart))];
      return serialised(['chat', `${name ?? ''}MessagePromptTemplate`], {
        prompt: serialised(['prompt', 'PromptTemplate'], {
          input_variables: names,
          template_format: isSection ? 'mustache' : 'f-string',
          template,
        }),
      });
    });
    const histories = prompt.messages.flatMap((message) => ('history' in message ? [message.history] : []));
    return serialised(['chat', 'ChatPromptTemplate'], {
      input_variables: [...inputsIn(prompt), ...histories],
      messages,
    });
  },
  langchainReader,
);

/** Messages without variables. */
function fixedMessages(
  prompt: ExportPrompt,
  report: ExportReport,
): readonly { readonly role: string; readonly content: string }[] {
  if (fixedText(prompt, report) === undefined) return [];
  return prompt.messages.flatMap((message) =>
    'history' in message
      ? []
      : [
          {
            role: message.role,
            content: message.parts.map((part) => ('text' in part ? part.text : '')).join(''),
          },
        ],
  );
}

export const openaiMessagesWriter = jsonWriter(
  'openai-messages',
  'OpenAI: a body for chat completions',
  (prompt, report) => {
    const { tools } = prompt;
    return {
      ...vendorSettings(prompt, 'openai', report),
      messages: fixedMessages(prompt, report),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, parameters }) => ({
              type: 'function',
              function: {
                name,
                ...(description === undefined ? {} : { description }),
                parameters: parameters ?? { type: 'object', properties: {} },
              },
            })),
          }),
    };
  },
);

export const anthropicMessagesWriter = jsonWriter(
  'anthropic-messages',
  'Anthropic: a body for messages',
  (prompt, report) => {
    const { tools } = prompt;
    const params = vendorSettings(prompt, 'anthropic', report);
    const messages = fixedMessages(prompt, report);
    const first = messages.findIndex(({ role }) => role !== 'system');
    if (first >= 0 && messages.slice(first).some(({ role }) => role === 'system'))
      report.refuse('E_EXPORT_FORMAT', 'the format has system text only before all messages');
    const system = messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => ({ type: 'text', text: content }));
    if (params.max_tokens === undefined)
      report.info('W_EXPORT_LOST', 'the format needs max_tokens: add it where the body is sent');
    return {
      ...params,
      ...(system.length === 0 ? {} : { system }),
      messages: messages.filter(({ role }) => role !== 'system'),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, parameters }) => ({
              name,
              ...(description === undefined ? {} : { description }),
              input_schema: parameters ?? { type: 'object' },
            })),
          }),
    };
  },
);

/** An answer to `prompts/get`, and what `prompts/list` says of it. */
export const mcpJsonWriter = jsonWriter(
  'mcp-json',
  'MCP: the answers to prompts/list and prompts/get',
  (prompt, report) => {
    nameLosses(prompt, [], report);
    const messages = prompt.messages.flatMap((message) => {
      if ('history' in message) {
        report.info('W_EXPORT_LOST', 'the place of earlier messages is not in the file');
        return [];
      }
      if (message.role === 'system')
        report.info('W_EXPORT_LOST', 'the format has no system role: the message is one of the user');
      const text = message.parts.map((part) => ('text' in part ? part.text : `⟦${inputOf(part)}⟧`)).join('');
      return [{ role: message.role === 'assistant' ? 'assistant' : 'user', content: { type: 'text', text } }];
    });
    const names = inputsIn(prompt);
    if (names.length > 0) report.info('W_EXPORT_LOST', 'inputs stand as ⟦name⟧ where the value goes');
    const texts = prompt.messages.flatMap((message) =>
      'history' in message ? [] : message.parts.flatMap((part) => ('text' in part ? [part.text] : [])),
    );
    const held = new Set(texts.flatMap((text) => [...text.matchAll(/⟦([^⟦⟧]*)⟧/g)].map(([, name]) => name)));
    const marked = names.find((name) => held.has(name));
    if (marked !== undefined)
      report.refuse(
        'E_EXPORT_FORMAT',
        `the text holds ⟦${marked}⟧ already, which stands for an input in the format`,
      );
    return {
      prompt: {
        name: prompt.name,
        ...(prompt.title === undefined ? {} : { title: prompt.title }),
        arguments: names.map((name) => ({ name })),
      },
      result: { messages },
    };
  },
);
