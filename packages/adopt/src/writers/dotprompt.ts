import { printYaml } from '@cuebook/yaml';
import { dotpromptReader } from '../readers/dotprompt.js';
import { sourceSettings } from '../settings.js';
import { toHandlebars } from '../template/back/handlebars.js';
import { templateFacts } from '../template/back/tree.js';
import { isPortableName } from '../template/core.js';
import { readHandlebars } from '../template/handlebars/read.js';
import {
  type Exported,
  type ExportPart,
  type ExportPrompt,
  exportReport,
  type FormatWriter,
  inputsIn,
  nameBlanks,
  nameFences,
} from '../writer.js';
import { hasSection, sectionText, verified } from './sections.js';

/** A dotprompt file. Braces of the text are escaped; the library trims the body, so white space at its ends is refused. */
export const dotpromptWriter: FormatWriter = {
  id: 'dotprompt',
  title: 'dotprompt: NAME.prompt',
  isPlaced: false,
  hasVariables: true,
  hasSections: true,
  write: (prompt) => verified(prompt, write(prompt), dotpromptReader),
};

function write(prompt: ExportPrompt): Exported {
  const report = exportReport(prompt);
  for (const name of inputsIn(prompt))
    if (!isVariable(name))
      report.refuse('E_EXPORT_FORMAT', `the format cannot name the input ${JSON.stringify(name)}`);
    else if (!isPortableName(name))
      report.info('W_EXPORT_LOST', `the name ${JSON.stringify(name)} is not one that every engine takes`);
  let body = '';
  nameFences(prompt, report);
  nameBlanks(prompt, report, { formatOmits: true });
  for (const [index, message] of prompt.messages.entries()) {
    if ('history' in message) {
      body += '{{history}}';
      continue;
    }
    const text = message.parts.map((part) => ('text' in part ? part.text : '')).join('');
    if (message.parts.every((part) => 'text' in part) && text.trim() === '')
      report.refuse('E_EXPORT_SPACE', 'the format drops a message of white space alone');
    if (text.includes('<<<dotprompt:'))
      report.refuse('E_EXPORT_FORMAT', 'the text holds a marker of the format, <<<dotprompt:');
    const isSection = hasSection(message);
    const printed = isSection
      ? sectionText(message, toHandlebars, report)
      : printParts(message.parts, index === prompt.messages.length - 1);
    if (printed === undefined && !isSection)
      report.refuse(
        'E_EXPORT_FORMAT',
        'the format cannot say a { right before an input, or a backslash right before {{',
      );
    body += `{{role "${message.role === 'assistant' ? 'model' : message.role}"}}${printed ?? ''}`;
  }
  if (/\s$/.test(body))
    report.refuse('E_EXPORT_SPACE', 'the format removes the white space at the end of the last message');
  if (report.found.some(({ severity }) => severity === 'error')) return { diagnostics: report.found };
  const { title, params, tools } = prompt;
  const { model, responseFormat, ...settings } = params;
  if (typeof responseFormat === 'object' && responseFormat !== null && 'name' in responseFormat)
    report.info('W_EXPORT_LOST', 'the format has no place for the name of the schema of the answer');
  const plain = responseFormat === 'text' ? { responseFormat } : {};
  const config = sourceSettings({ ...settings, ...plain }, prompt.meta, 'dotprompt');
  const looked = lookedAt(prompt);
  const names = inputsIn(prompt);
  const required = names.filter((name) => prompt.inputs?.get(name)?.isRequired === true);
  const examples = names.filter((name) => prompt.inputs?.get(name)?.example !== undefined);
  if (examples.length > 0)
    report.info(
      'W_EXPORT_LOST',
      `the format has no place for the examples of inputs (${examples.join(', ')})`,
    );
  const fields = {
    ...(title === undefined ? {} : { description: title }),
    ...(model === undefined ? {} : { model }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(tools.length === 0
      ? {}
      : {
          toolDefs: tools.map(({ name, description, parameters }) => ({
            name,
            description: description ?? name,
            inputSchema: parameters ?? { type: 'object' },
          })),
        }),
    ...outputOf(prompt, responseFormat),
    input: {
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          names.map((name) => {
            const description = prompt.inputs?.get(name)?.description;
            return [
              name,
              {
                ...(looked.has(name) ? {} : { type: 'string' }),
                ...(description === undefined ? {} : { description }),
              },
            ];
          }),
        ),
        ...(required.length === 0 ? {} : { required }),
      },
    },
  };
  const text = `---\n${printYaml(fields, { wide: true })}---\n${body}`;
  return {
    file: { path: `prompts/${prompt.name}.prompt`, text, kind: 'whole' },
    diagnostics: report.found,
  };
}

/** The form of the answer: what the sheet asks for, or what an import of this format kept. */
function outputOf({ meta: { source, output } }: ExportPrompt, asked: unknown): { readonly output?: unknown } {
  if (typeof asked === 'object' && asked !== null && 'schema' in asked)
    return { output: { format: 'json', schema: asked.schema } };
  if (asked === 'json') return { output: { format: asked } };
  const isOurs =
    typeof source === 'object' && source !== null && 'format' in source && source.format === 'dotprompt';
  return isOurs && output !== undefined ? { output } : {};
}

/** Whether the library prints a value for `{{name}}`: names of helpers and words of the language mean something else. */
function isVariable(name: string): boolean {
  const [token, ...more] = readHandlebars(`{{${name}}}`).tokens ?? [];
  return (
    /^[A-Za-z_][\w-]*$/.test(name) && more.length === 0 && token?.kind === 'variable' && token.name === name
  );
}

/** The inputs that a condition or loop looks at: they may be anything. */
const lookedAt = ({ messages }: ExportPrompt): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      'history' in message
        ? []
        : message.parts.flatMap((part) =>
            'template' in part ? [...(templateFacts(part.template)?.json ?? [])] : [],
          ),
    ),
  );

/**
 * Each text with what Handlebars would read as a tag escaped: `{{` becomes `\{{`, a backslash before a tag is doubled, and
 * an empty comment keeps a brace behind a tag apart. Undefined where the language has no escape.
 */
function printParts(parts: readonly ExportPart[], isLast: boolean): string | undefined {
  let out = '';
  for (const [index, part] of parts.entries()) {
    if ('template' in part) return undefined;
    if ('input' in part) {
      out += `{{${part.input}}}`;
      continue;
    }
    const isBefore = !isLast || index < parts.length - 1;
    if (/\\\{\{/.test(part.text) || (isBefore && part.text.endsWith('{'))) return undefined;
    const escaped = part.text.replace(/\{\{/g, '\\{{');
    out += `${part.text.startsWith('}') ? '{{!}}' : ''}${escaped}${isBefore && part.text.endsWith('\\') ? '\\' : ''}`;
  }
  return out;
}
