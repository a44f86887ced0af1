import { posix } from 'node:path';
import { sheetName } from '../names.js';
import type { FormatReader } from '../reader.js';
import { readEditorInputs } from '../template/editor-inputs.js';
import { listField, otherFields, textField } from './frontmatter.js';
import { instructionSheet, nameOfFile } from './instruction.js';
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
  read: (file, how) =>
    readFields(file, (matter, report) => {
      const kind = KINDS.find(({ pattern }) => pattern.test(file.path)) ?? KINDS[0];
      const isPrompt = kind.folder === 'prompts/';
      const body = isPrompt
        ? bodyParts(matter.body, readEditorInputs, report, true)
        : { parts: [{ text: matter.body.text }] };
      if (body === undefined) return nothingRead(report);
      const model = textField(matter, 'model');
      const fields = otherFields(
        matter,
        ['name', 'description', 'tools', ...(model === undefined ? [] : ['model'])],
        report,
      );
      const own = textField(matter, 'name') ?? posix.basename(file.path).replace(kind.ending, '');
      const name =
        how.name ?? (kind.folder === '' ? nameOfFile(file.path) : sheetName(`${kind.folder}${own}`));
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
    }),
};
