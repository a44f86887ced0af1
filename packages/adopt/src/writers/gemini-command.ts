import {
  exportReport,
  type FormatWriter,
  inputsIn,
  nameFences,
  nameLosses,
  refuseSections,
} from '../writer.js';
import { ownTitle } from './scope.js';
import { sourcePlace } from './source-place.js';

/** A command of Gemini CLI: TOML whose prompt takes what is typed at `{{args}}`. */
export const geminiCommandWriter: FormatWriter = {
  id: 'gemini-command',
  title: 'a command of Gemini CLI: .gemini/commands/NAME.toml',
  isPlaced: true,
  hasVariables: true,
  write: (prompt) => {
    const report = exportReport(prompt);
    const [only, ...more] = inputsIn(prompt);
    refuseSections(prompt, report);
    if (more.length > 0)
      report.refuse(
        'E_EXPORT_FORMAT',
        `a command takes one text that is typed; give the inputs ${more.join(', ')} a value with --set NAME=VALUE`,
      );
    if (only !== undefined && only !== 'args')
      report.info('W_EXPORT_LOST', `the input ${JSON.stringify(only)} became {{args}}`);
    if (prompt.messages.some((message) => 'history' in message))
      report.info('W_EXPORT_LOST', 'the place of earlier messages is not in the file');
    nameLosses(prompt, [], report);
    nameFences(prompt, report);
    const texts = prompt.messages.flatMap((message) => ('history' in message ? [] : [message.parts]));
    const text = texts
      .map((parts) => parts.map((part) => ('text' in part ? part.text : '{{args}}')).join(''))
      .join('\n\n');
    // What the tool acts on may come about where a text and an input meet.
    const places = texts.flat().filter((part) => 'input' in part).length;
    if (/[!@]\{/.test(text) || text.split('{{args}}').length - 1 !== places)
      report.refuse(
        'E_EXPORT_FORMAT',
        'the text holds !{, @{ or {{args}}, which the tool would act on, and there is no escape for them',
      );
    if (report.found.some(({ severity }) => severity === 'error')) return { diagnostics: report.found };
    const name = prompt.name.replace(/^commands\//, '');
    const title = ownTitle(prompt);
    const path =
      sourcePlace(prompt, 'commands', /(?:^|\/)\.gemini\/commands\/.+\.toml$/) ??
      `.gemini/commands/${name}.toml`;
    const lines = [
      ...(title === undefined ? [] : [`description = ${tomlLine(title)}`]),
      `prompt = ${tomlText(text)}`,
    ];
    return {
      file: { path, text: `${lines.join('\n')}\n`, kind: 'whole' },
      diagnostics: report.found,
    };
  },
};

const escaped = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
/** A text in one line. */
const tomlLine = (text: string): string =>
  `"${text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/[\u0000-\u001f\u007f]/g, escaped)}"`;
/** A text over several lines: a line break behind the opening quotes is not a part of it. */
const tomlText = (text: string): string =>
  `"""\n${text
    .replace(/\\/g, '\\\\')
    .replace(/"(?="|$)/g, '\\"')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, escaped)}"""`;
