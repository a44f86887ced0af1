import type { FormatReader } from '../reader.js';
import { instructionSheet, nameOfFile } from './instruction.js';
import { readMarkdown } from './markdown-source.js';

/** AGENTS.md: text without fields, imports or variables. */
export const agentsMdReader: FormatReader = {
  id: 'agents-md',
  title: 'AGENTS.md, in any folder',
  detect: (path) => /(?:^|\/)(?:AGENTS(?:\.override)?|AGENT)\.md$/.test(path),
  read: (file, how) =>
    readMarkdown(file, (text, report) => {
      const parts = [{ text: text.text }];
      const name = how.name ?? nameOfFile(file.path);
      return instructionSheet(
        { file, format: 'agents-md', name, title: file.path, role: 'user', parts },
        report,
      );
    }),
};
