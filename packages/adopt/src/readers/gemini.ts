import { parse } from 'smol-toml';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { readCommandArguments } from '../template/gemini-arguments.js';
import { decodeFile } from '../text/decode.js';
import { type MappedText, mappedRuns } from '../text/mapped.js';
import { sayTomlNumbers } from '../text/toml-numbers.js';
import { atImports } from './at-imports.js';
import { listField, otherFields, textField } from './frontmatter.js';
import { givenName, instructionSheet, nameOfFile } from './instruction.js';
import { keptUnderMeta, nothingRead } from './json-source.js';
import { bodyParts, readFields, readMarkdown } from './markdown-source.js';

const COMMAND = /(?:^|\/)\.gemini\/commands\/.+\.toml$/;
const AGENT = /(?:^|\/)\.gemini\/agents\/.+\.md$/;

/** Files of Gemini CLI: GEMINI.md, commands, agents. */
export const geminiReader: FormatReader = {
  id: 'gemini',
  title: 'Gemini CLI: GEMINI.md, .gemini/commands/*.toml, .gemini/agents',
  detect: (path) => /(?:^|\/)GEMINI\.md$/.test(path) || COMMAND.test(path) || AGENT.test(path),
  read: (file, how) => {
    if (file.path.endsWith('.toml')) return readCommand(file, how);
    if (AGENT.test(file.path)) return readAgent(file, how);
    return readMarkdown(file, (text, report) => {
      const { parts, texts } = atImports(text, file.path, how, report, { depth: 5, tool: 'Gemini CLI' });
      const name = how.name ?? nameOfFile(file.path);
      return instructionSheet(
        { file, format: 'gemini', name, title: file.path, role: 'user', parts, texts },
        report,
      );
    });
  },
};

function readCommand(file: ForeignFile, how: ReadHow): ImportDraft {
  const report = reporter(file.path);
  const text = decodeFile(file.bytes, report);
  if (text === undefined) return nothingRead(report);
  const fields = parseToml(text.text, report);
  if (fields === undefined) return nothingRead(report);
  const { prompt, description: title, ...others } = fields;
  const isTitle = typeof title === 'string';
  const rest = { ...(title === undefined || isTitle ? {} : { description: title }), ...others };
  if (typeof prompt !== 'string') {
    report.error('E_IMPORT_SYNTAX', { line: 1, column: 1 }, 'A command needs the text `prompt`');
    return nothingRead(report);
  }
  const kept = Object.keys(rest);
  if (kept.length > 0) report.info('W_IMPORT_KEY', { line: 1, column: 1 }, keptUnderMeta(kept));
  const body = bodyParts(placed(prompt, text), readCommandArguments, report);
  if (body === undefined) return nothingRead(report);
  const below = file.path.replace(/^.*\.gemini\/commands\//, '').replace(/\.toml$/, '');
  return instructionSheet(
    {
      file,
      format: 'gemini',
      name: how.name ?? sheetName(`commands/${below}`),
      title: isTitle ? title : `/${below.replaceAll('/', ':')}`,
      role: 'user',
      ...body,
      ...(kept.length === 0 ? {} : { meta: { toml: rest } }),
    },
    report,
  );
}

function parseToml(text: string, report: Reporter): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields = parse(text) as Readonly<Record<string, unknown>>;
    if (isDeeper(fields, MAX_DEPTH)) {
      report.error('E_IMPORT_SYNTAX', { line: 1, column: 1 }, 'The tables of the file are nested too deep');
      return undefined;
    }
    sayTomlNumbers(text, report);
    return fields;
  } catch (error) {
    const { line = 1, column = 1, message } = error as { line?: number; column?: number; message: string };
    const why = message.split('\n')[0] ?? '';
    report.error('E_IMPORT_SYNTAX', { line, column }, `The file is not valid TOML: ${why.slice(0, 120)}`);
    return undefined;
  }
}

/** Deeper files are refused, as JSON is. */
const MAX_DEPTH = 200;

/** Whether plain data nests deeper, looked at no deeper than that. */
const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)));

/** The prompt with the places of its lines: exact for a text that stands in the file as it is, else those of its key. */
function placed(prompt: string, source: MappedText): MappedText {
  const at = source.text.indexOf(prompt);
  if (at >= 0 && prompt !== '') return { text: prompt, at: (offset) => source.at(at + offset) };
  const key = Math.max(0, source.text.search(/^\s*prompt\s*=/m));
  return mappedRuns(prompt, [{ start: 0, place: source.at(key) }]);
}

const readAgent = (file: ForeignFile, how: ReadHow): ImportDraft =>
  readFields(file, (matter, report) => {
    const name = textField(matter, 'name');
    if (name === undefined) {
      report.warning(
        'E_IMPORT_SYNTAX',
        { line: 1, column: 1 },
        `An agent needs a name; ${quote(file.path)} was not imported`,
      );
      return nothingRead(report);
    }
    const model = textField(matter, 'model');
    const isModel = model !== undefined && model !== 'inherit';
    const temperature = matter.fields.get('temperature');
    const isSet = typeof temperature === 'number' && Number.isFinite(temperature);
    const fields = otherFields(
      matter,
      {
        ...{ name: 'text', description: 'text', tools: 'list' },
        ...(isModel ? { model: 'text' } : {}),
        ...(isSet ? { temperature: 'text' } : {}),
      },
      report,
    );
    return instructionSheet(
      {
        file,
        format: 'gemini',
        name: how.name ?? givenName('agents', name, matter.fieldAt('name'), report),
        title: textField(matter, 'description'),
        role: 'system',
        parts: [{ text: matter.body.text }],
        capabilities: listField(matter, 'tools'),
        params: { ...(isModel ? { model } : {}), ...(isSet ? { temperature } : {}) },
        ...(Object.keys(fields).length === 0 ? {} : { meta: { frontmatter: fields } }),
      },
      report,
    );
  });
