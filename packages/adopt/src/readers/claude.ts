import { posix } from 'node:path';
import type { Reporter } from '../diagnostic.js';
import { quote } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import type { ForeignFile, FormatReader, ReadHow } from '../reader.js';
import { argumentReader, isNumbered } from '../template/arguments.js';
import type { MappedText } from '../text/mapped.js';
import { atImports } from './at-imports.js';
import { argumentNames, listField, otherFields, textField } from './frontmatter.js';
import { givenName, instructionSheet, nameOfFile } from './instruction.js';
import { nothingRead } from './json-source.js';
import { bodyParts, readFields, readMarkdown } from './markdown-source.js';

const MEMORY = /(?:^|\/)CLAUDE(?:\.local)?\.md$/;
const RULE = /(?:^|\/)\.claude\/rules\/.+\.md$/;
const AGENT = /(?:^|\/)\.claude\/agents\/.+\.md$/;
const COMMAND = /(?:^|\/)\.claude\/commands\/.+\.md$/;
const STYLE = /(?:^|\/)\.claude\/output-styles\/.+\.md$/;

/** Files of Claude Code: CLAUDE.md, rules, agents, commands, output styles. */
export const claudeReader: FormatReader = {
  id: 'claude',
  title: 'Claude Code: CLAUDE.md, .claude/rules, agents, commands, output-styles',
  detect: (path) => [MEMORY, RULE, AGENT, COMMAND, STYLE].some((pattern) => pattern.test(path)),
  read: (file, how) => {
    if (AGENT.test(file.path)) return readAgent(file, how);
    if (COMMAND.test(file.path)) return readCommand(file, how);
    if (STYLE.test(file.path)) return readStyle(file, how);
    if (RULE.test(file.path)) return readRule(file, how);
    return readMarkdown(file, (text, report) => readMemory(file, text, how, report));
  },
};

const RULES = { depth: 4, tool: 'Claude Code' } as const;

function readMemory(file: ForeignFile, text: MappedText, how: ReadHow, report: Reporter): ImportDraft {
  sayComments(text, report);
  const { parts, texts } = atImports(text, file.path, how, report, RULES);
  const name = how.name ?? nameOfFile(file.path);
  return instructionSheet(
    { file, format: 'claude', name, title: file.path, role: 'user', parts, texts },
    report,
  );
}

/** Claude Code does not send comments of their own lines; the text keeps them. */
function sayComments(text: MappedText, report: Reporter): void {
  const comment = /^<!--(?! cuebook:)/m.exec(text.text);
  if (comment !== null)
    report.info(
      'W_IMPORT_COMMENT',
      text.at(comment.index),
      'Claude Code leaves out HTML comments; the text keeps them',
    );
}

const readRule = (file: ForeignFile, how: ReadHow): ImportDraft =>
  readFields(file, (matter, report) => {
    const { parts, texts } = atImports(matter.body, file.path, how, report, RULES);
    const meta = fieldMeta(otherFields(matter, {}, report));
    const name = how.name ?? nameOfFile(file.path);
    return instructionSheet(
      { file, format: 'claude', name, title: file.path, role: 'user', parts, texts, meta },
      report,
    );
  });

const readAgent = (file: ForeignFile, how: ReadHow): ImportDraft =>
  readFields(file, (matter, report) => {
    const name = textField(matter, 'name');
    const description = textField(matter, 'description');
    if (name === undefined || description === undefined) {
      report.warning(
        'E_IMPORT_SYNTAX',
        { line: 1, column: 1 },
        'An agent needs a name and a description: Claude Code leaves this file out without a word, and so it was not imported',
      );
      return nothingRead(report);
    }
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
      report.info(
        'W_IMPORT_DIALECT',
        matter.fieldAt('name'),
        `Claude Code takes names of small letters and hyphens: it leaves out an agent called ${quote(name)}`,
      );
    const model = textField(matter, 'model');
    const isModel = model !== undefined && model !== 'inherit';
    const meta = fieldMeta(
      otherFields(
        matter,
        { name: 'text', description: 'text', tools: 'list', ...(isModel ? { model: 'text' } : {}) },
        report,
      ),
    );
    return instructionSheet(
      {
        file,
        format: 'claude',
        name: how.name ?? givenName('agents', name, matter.fieldAt('name'), report),
        title: description,
        role: 'system',
        parts: [{ text: matter.body.text }],
        capabilities: listField(matter, 'tools'),
        params: isModel ? { model } : {},
        meta,
      },
      report,
    );
  });

const readCommand = (file: ForeignFile, how: ReadHow): ImportDraft =>
  readFields(file, (matter, report) => {
    const rules = { names: argumentNames(matter), first: how.firstArgument };
    const body = bodyParts(matter.body, argumentReader(rules), report, isNumbered);
    if (body === undefined) return nothingRead(report);
    const model = textField(matter, 'model');
    const isModel = model !== undefined && model !== 'inherit';
    const meta = fieldMeta(
      otherFields(
        matter,
        { description: 'text', 'allowed-tools': 'list', ...(isModel ? { model: 'text' } : {}) },
        report,
      ),
    );
    const below = file.path.replace(/^.*\.claude\/commands\//, '').replace(/\.md$/, '');
    const attached = /(?:^|\s)@(?=[\w./])/.exec(matter.body.text);
    if (attached !== null)
      report.info(
        'W_IMPORT_REFERENCE',
        matter.body.at(attached.index),
        'Files that are named with @ are attached by the tool; the text keeps the name alone',
      );
    return instructionSheet(
      {
        file,
        format: 'claude',
        name: how.name ?? sheetName(`commands/${below}`),
        title: textField(matter, 'description') ?? `/${below}`,
        role: 'user',
        ...body,
        capabilities: listField(matter, 'allowed-tools'),
        params: isModel ? { model } : {},
        meta,
      },
      report,
    );
  });

const readStyle = (file: ForeignFile, how: ReadHow): ImportDraft =>
  readFields(file, (matter, report) => {
    const meta = fieldMeta(otherFields(matter, { name: 'text', description: 'text' }, report));
    const name = textField(matter, 'name') ?? posix.basename(file.path, '.md');
    report.info(
      'W_IMPORT_ROLE',
      { line: 1, column: 1 },
      `The output style ${quote(name)} is added to the system prompt of Claude Code; the sheet holds its text alone`,
    );
    return instructionSheet(
      {
        file,
        format: 'claude',
        name: how.name ?? givenName('output-styles', name, matter.fieldAt('name'), report),
        title: textField(matter, 'description') ?? name,
        role: 'system',
        parts: [{ text: matter.body.text }],
        meta,
      },
      report,
    );
  });

const fieldMeta = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.keys(fields).length === 0 ? {} : { frontmatter: fields };
