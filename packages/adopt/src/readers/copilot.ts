import { posix } from 'node:path';
import { quote, type Reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import { sheetName } from '../names.js';
import type { FormatReader } from '../reader.js';
import { readEditorInputs } from '../template/editor-inputs.js';
import { findEditorReferences } from '../template/editor-references.js';
import type { MappedText } from '../text/mapped.js';
import { type FieldedText, listField, otherFields, textField } from './frontmatter.js';
import { givenName, instructionSheet, nameOfFile } from './instruction.js';
import { nothingRead } from './json-source.js';
import { bodyParts, readFields } from './markdown-source.js';

const KINDS = [
  { pattern: /(?:^|\/)\.github\/copilot-instructions\.md$/, folder: '', role: 'user', ending: /\.md$/ },
  { pattern: /\.instructions\.md$/, folder: 'instructions/', role: 'user', ending: /\.instructions\.md$/ },
  { pattern: /\.prompt\.md$/, folder: 'prompts/', role: 'user', ending: /\.prompt\.md$/ },
  {
    pattern: /(?:^|\/)\.github\/agents\/[^/]+\.md$/,
    folder: 'agents/',
    role: 'system',
    ending: /(?:\.agent)?\.md$/,
  },
] as const;

/** Files of GitHub Copilot in VS Code: instructions, prompts, agents. */
export const copilotReader: FormatReader = {
  id: 'copilot',
  title: 'GitHub Copilot: copilot-instructions.md, *.instructions.md, *.prompt.md, .github/agents',
  detect: (path) => KINDS.some(({ pattern }) => pattern.test(path)),
  read: (file, how) => {
    const kind = KINDS.find(({ pattern }) => pattern.test(file.path)) ?? KINDS[0];
    const form = kind.folder === '' ? 'none' : 'yaml';
    const read = (matter: FieldedText, report: Reporter): ImportDraft => {
      const isPrompt = kind.folder === 'prompts/';
      const body = isPrompt
        ? bodyParts(matter.body, readEditorInputs, report, true)
        : { parts: [{ text: matter.body.text }] };
      if (body === undefined) return nothingRead(report);
      sayReferences(matter.body, report);
      const model = textField(matter, 'model');
      const fields = otherFields(
        matter,
        {
          ...(kind.folder === '' ? {} : { name: 'text' }),
          ...{ description: 'text', tools: 'list', model: 'text' },
        },
        report,
      );
      const own = textField(matter, 'name');
      const below = posix.basename(file.path).replace(kind.ending, '');
      const name =
        how.name ??
        (kind.folder === ''
          ? nameOfFile(file.path)
          : own === undefined
            ? sheetName(`${kind.folder}${below}`)
            : givenName(kind.folder.slice(0, -1), own, matter.fieldAt('name'), report));
      return instructionSheet(
        {
          file,
          format: 'copilot',
          name,
          title: textField(matter, 'description') ?? file.path,
          role: kind.role,
          ...body,
          capabilities: listField(matter, 'tools'),
          params: model === undefined ? {} : { model },
          ...(Object.keys(fields).length === 0 ? {} : { meta: { frontmatter: fields } }),
        },
        report,
      );
    };
    return readFields(file, read, form);
  },
};

/** What VS Code adds to the text is not in the sheet: each place is named, a long list in short. */
function sayReferences(body: MappedText, report: Reporter): void {
  const found = findEditorReferences(body.text);
  for (const { start, words } of found.slice(0, MAX_NAMED))
    report.info(
      'W_IMPORT_REFERENCE',
      body.at(start),
      `VS Code adds what ${quote(words)} names; in the sheet it is text`,
    );
  const rest = found[MAX_NAMED];
  if (rest !== undefined)
    report.info(
      'W_IMPORT_REFERENCE',
      body.at(rest.start),
      `${found.length - MAX_NAMED} more places of this text are like these`,
    );
}

const MAX_NAMED = 20;
